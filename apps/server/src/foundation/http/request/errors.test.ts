import { expect, test } from 'vitest';
import { useTestService } from '../../../testing/service/test-service.ts';
import { asAppError } from './errors.ts';

const service = useTestService({ role: 'api' });

test.each(['select $1::text', 'select $1::jsonb'])('a NUL that reaches the database by %s is a 400', async (query) => {
  const value = query.includes('jsonb') ? '{"a": "\\u0000"}' : 'a\0';
  const error = await service.pool.query(query, [value]).catch((reason: unknown) => reason);
  expect(asAppError(error)).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
});
