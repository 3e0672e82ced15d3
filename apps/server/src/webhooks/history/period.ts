import { malformed } from '../../foundation/http/index.ts';

export type Period = { from: Date; to: Date };

type Dates = { start_date?: string; end_date?: string };

// PostgreSQL's own range is wider, but no data is outside this one.
const dawn = new Date(0);
const dusk = new Date('9999-12-30T00:00:00.000Z');

/**
 * Converts the query to a period [from, to). A date means the whole day. If the end is a time, that time is included.
 */
export function periodOf({ start_date, end_date }: Dates): Period {
  const from = start_date === undefined ? dawn : timeOf('start_date', start_date);
  const end = end_date === undefined ? dusk : timeOf('end_date', end_date);
  const to = new Date(end.getTime() + (isDay(end_date) ? 86_400_000 : 1));
  if (from >= to) throw bad('start_date', 'must be before end_date');
  return { from, to };
}

const isDay = (text: string | undefined): boolean => text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text);

function timeOf(field: string, text: string): Date {
  const time = new Date(text);
  // A leap second matches the format but is not a valid time in JavaScript.
  if (Number.isNaN(time.getTime())) throw bad(field, 'is not a valid time');
  return time < dawn ? dawn : time > dusk ? dusk : time;
}

const bad = (field: string, message: string) => malformed('A query value is not valid', [{ field, message }]);
