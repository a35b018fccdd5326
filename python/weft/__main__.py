"""`python -m weft devices`: the devices that Weft finds, or why there are none."""

import argparse
import sys

import weft


def devices() -> int:
    found = 0
    for backend in weft.list_devices():
        if not backend["devices"]:
            print(f"{backend['name']}: {backend['reason']}")
        for device in backend["devices"]:
            print(f"{device['selector']}: {device['name']}, {device['kind'].replace('_', ' ')}, {device['api']}")
            if device["refusal"]:
                print(f"  refused: {device['refusal']}")
            else:
                found += 1
    return 0 if found else 1


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m weft", description="Weft for Python, version " + weft.__version__)
    verbs = parser.add_subparsers(dest="verb", required=True)
    verbs.add_parser("devices", help="lists the devices, or why a backend has none")
    parser.parse_args()
    return devices()


sys.exit(main())
