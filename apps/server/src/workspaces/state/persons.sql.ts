import { firstRow, type Queries } from '../../foundation/db/index.ts';

/** A user as the author of commits. Undefined if the account is gone or suspended. */
export function findPerson(db: Queries, userId: string): Promise<{ name: string; email: string } | undefined> {
  return firstRow<{ name: string; email: string }>(db)`
    select name, email from users where id = ${userId} and suspended_at is null`;
}
