import type { RawBuilder } from 'kysely';
import type { Trx } from '../db/index.ts';
import type { IdPrefix } from '../ids.ts';

/** A table that is partitioned by its key, an id, and so by time. */
export type TimedTable = {
  name: string;
  key: string;
  prefix: IdPrefix;
  /** Keys below this one whose rows have to stay although their time is over. */
  staying?(below: string): RawBuilder<unknown>;
  /** In the transaction that drops all others below this key, which is of that time. */
  dropping?(trx: Trx, below: string, time: Date): Promise<unknown>;
};

const dayMs = 86_400_000;

/** What is kept is in about so many partitions: each one more is planned for, and looked at, by all that ask for no key. */
const parts = 4;

/** Whole days, so that what is kept is a quarter of its time older than it would have to be, or a day. */
export const widthOf = (days: number): number => Math.max(1, Math.ceil(days / parts)) * dayMs;

export const borderAfter = (time: number, width: number): number => (Math.floor(time / width) + 1) * width;

export const firstNameOf = (table: string): string => `${table}_first`;

export const nameOf = (table: string, begins: number): string =>
  `${table}_from_${new Date(begins).toISOString().slice(0, 10).replaceAll('-', '')}`;
