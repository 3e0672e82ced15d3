import { beforeAll, describe, expect, test } from 'vitest';
import { expectError } from '../../testing/clients/expect-error.ts';
import { inProject, newPlace, type Place, putFile } from '../../testing/samples/sample-files.ts';
import { useTestService } from '../../testing/service/test-service.ts';

const service = useTestService();
const largest = 10 * 1024 * 1024;
let place: Place;

beforeAll(async () => {
  place = await newPlace(service);
});

const encoded = (bytes: number) => Buffer.alloc(bytes, 'largest').toString('base64');
const tooLarge = { status: 413, code: 'VALIDATION_ERROR' } as const;

describe('the largest file that the default settings allow', () => {
  test('can be written as base64 by PUT, and a larger one cannot', async () => {
    const put = (bytes: number) => putFile(place, { path: '/put.bin', content: encoded(bytes), encoding: 'base64' });
    const answer = await put(largest);
    expect([answer.status, answer.body.size]).toEqual([201, largest]);
    expectError(await put(largest + 1), tooLarge);
  });

  test('can be written as base64 in a commit, and a larger one cannot', async () => {
    const commit = (path: string, bytes: number) => {
      const change = { action: 'create', path, content: encoded(bytes), encoding: 'base64' };
      return inProject(place, 'POST', '/commits', { json: { changes: [change] } });
    };
    const answer = await commit('/commit.bin', largest);
    expect(answer.status, answer.text).toBe(201);
    expectError(await commit('/larger.bin', largest + 1), tooLarge);
  });
});
