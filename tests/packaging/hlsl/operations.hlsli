int remainder(int x) { return x % DIVISOR; }
