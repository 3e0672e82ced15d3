import type { PartHealth } from '../../foundation/slice.ts';

/**
 * The result of a check. `missing`: something is missing that Bottega can work without. `broken`: Bottega does not
 * start.
 */
export type Check = { name: string; status: 'ok' | 'missing' | 'broken'; message: string; remedy: string | null };

export const ok = (name: string, message: string): Check => ({ name, status: 'ok', message, remedy: null });

export const missing = (name: string, message: string, remedy: string | null = null): Check => ({
  name,
  status: 'missing',
  message,
  remedy,
});

export const broken = (name: string, message: string, remedy: string | null = null): Check => ({
  name,
  status: 'broken',
  message,
  remedy,
});

/** Turns the health of a part into a check, with the same words as at the start. */
export function fromHealth(name: string, whenWell: string, { problem, notes = [] }: PartHealth): Check[] {
  if (problem !== null) return [missing(name, problem)];
  return [ok(name, whenWell), ...notes.map((note) => missing(name, note))];
}
