import { createRequire } from 'node:module';

const { TOTP } = createRequire(new URL('../../server/package.json', import.meta.url))('otpauth') as {
  TOTP: new (options: { secret: string }) => { generate(at: { timestamp: number }): string };
};

/** Steps from now: a code is taken once, so each use takes another one of those that hold. */
export const codeOf = (secret: string, step = 0): string =>
  new TOTP({ secret }).generate({ timestamp: Date.now() + step * 30_000 });
