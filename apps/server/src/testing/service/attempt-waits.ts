import type { TestService } from './test-service.ts';

/**
 * Makes the waits after failed attempts longer. The first wait is one second, and a busy machine may need as long for
 * one request.
 */
export async function prolongWaits({ pool }: TestService): Promise<void> {
  await pool.query(
    "update attempt_budgets set blocked_until = now() + interval '1 minute' where blocked_until is not null",
  );
}
