import type { TestService } from './test-service.ts';

/** The first wait is a second, which a busy machine may need for one request: those that are held stay held. */
export async function prolongWaits({ pool }: TestService): Promise<void> {
  await pool.query(
    "update attempt_budgets set blocked_until = now() + interval '1 minute' where blocked_until is not null",
  );
}
