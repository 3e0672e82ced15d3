import type { TestDatabase } from '../testing/parts/test-database.ts';

/** In the form that an operator writes into DATABASE_URL. */
export const urlOf = ({ host, port, user, database }: TestDatabase['connection']): string =>
  `postgres://${user}@${encodeURIComponent(host)}:${port}/${database}`;
