import { UsageError } from './command-error.ts';

const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Parses a duration such as `30s`, `15m`, `12h` or `90d`. Returns milliseconds. */
export function parseDuration(text: string): number {
  const [, number, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (!number || !unit || Number(number) === 0) {
    throw new UsageError(`${JSON.stringify(text)} is not a duration such as 30s, 12h or 90d`);
  }
  return Number(number) * unitMs[unit as keyof typeof unitMs];
}
