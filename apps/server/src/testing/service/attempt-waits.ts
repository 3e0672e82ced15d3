import type { TestService } from './test-service.ts';

/** The first wait is one second, which a busy machine may need for one request: this makes the waits longer. */
export async function prolongWaits({ pool }: TestService): Promise<void> {
  await pool.query(
    "update attempt_budgets set blocked_until = now() + interval '1 minute' where blocked_until is not null",
  );
}
