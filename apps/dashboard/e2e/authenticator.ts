import { createRequire } from 'node:module';

const { TOTP } = createRequire(new URL('../../server/package.json', import.meta.url))('otpauth') as {
  TOTP: new (options: { secret: string }) => { generate(at: { timestamp: number }): string };
};

/** `step` counts from now: each code is accepted once, so every use takes a different valid one. */
export const codeOf = (secret: string, step = 0): string =>
  new TOTP({ secret }).generate({ timestamp: Date.now() + step * 30_000 });
