// The prices of a call and of a put by Black and Scholes, for random prices of the stock, strikes and years.
#version 450
layout(local_size_x = 256) in;
layout(std430, set = 0, binding = 0) readonly buffer Stock { float stock[]; };
layout(std430, set = 0, binding = 1) readonly buffer Strike { float strike[]; };
layout(std430, set = 0, binding = 2) readonly buffer Years { float years[]; };
layout(std430, set = 0, binding = 3) writeonly buffer Prices { vec2 prices[]; };
layout(push_constant) uniform Block { uint count, side; };

// The cumulative normal distribution (Abramowitz and Stegun 26.2.17).
float normal(float d) {
  float k = 1.0 / (1.0 + 0.2316419 * abs(d));
  float tail = 0.39894228 * exp(-0.5 * d * d) *
               (k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429)))));
  return d > 0.0 ? 1.0 - tail : tail;
}

void main() {
  uint i = (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 256u + gl_LocalInvocationID.x;
  if (i >= count) return;
  const float rate = 0.02, volatility = 0.3;
  float s = 5.0 + 25.0 * stock[i], x = 1.0 + 99.0 * strike[i], t = 0.25 + 9.75 * years[i];
  float root = sqrt(t);
  float d1 = (log(s / x) + (rate + 0.5 * volatility * volatility) * t) / (volatility * root);
  float d2 = d1 - volatility * root;
  float n1 = normal(d1), n2 = normal(d2), discounted = x * exp(-rate * t);
  prices[i] = vec2(s * n1 - discounted * n2, discounted * (1.0 - n2) - s * (1.0 - n1));
}
