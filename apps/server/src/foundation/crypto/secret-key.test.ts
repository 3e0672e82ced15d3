import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { useTestService } from '../../testing/service/test-service.ts';
import { transaction } from '../db/transaction.ts';
import { loadSecretKey, settleNextKey, writeNextKey } from './secret-key.ts';
import { mustBeTheSecretKey, noteSecretKey } from './secret-key-check.ts';

const service = useTestService({ role: 'api' });
const next = Buffer.alloc(32, 9);

let dataDir: string;
let current: Buffer;
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'bottega-key-'));
  await service.pool.query('delete from installation');
  current = loadSecretKey(null, dataDir);
  await mustBeTheSecretKey(service.db, current);
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const keyInPlace = () => Buffer.from(readFileSync(join(dataDir, 'secret.key'), 'utf8'), 'base64');
const settle = () => settleNextKey(service.db, loadSecretKey(null, dataDir), { secretKey: null, dataDir });
const isWaiting = () => existsSync(join(dataDir, 'secret.key.next'));

describe('a rotation that was interrupted', () => {
  test('after its commit is completed: the new key takes the place of the former', async () => {
    writeNextKey(dataDir, next);
    await transaction(service.db, (trx) => noteSecretKey(trx, next));
    expect((await settle()).equals(next)).toBe(true);
    expect(keyInPlace().equals(next)).toBe(true);
    expect(isWaiting()).toBe(false);
    await mustBeTheSecretKey(service.db, next);
  });

  test('before its commit is undone: the new key is thrown away', async () => {
    writeNextKey(dataDir, next);
    expect((await settle()).equals(current)).toBe(true);
    expect(keyInPlace().equals(current)).toBe(true);
    expect(isWaiting()).toBe(false);
  });

  test('with a key of another database leaves both keys alone, and the start is refused', async () => {
    writeNextKey(dataDir, next);
    await transaction(service.db, (trx) => noteSecretKey(trx, Buffer.alloc(32, 1)));
    expect((await settle()).equals(current)).toBe(true);
    expect(isWaiting()).toBe(true);
    await expect(mustBeTheSecretKey(service.db, current)).rejects.toThrow('is not the one');
  });
});

test('the stored check value of the key does not reveal the key', async () => {
  const { rows } = await service.pool.query('select secret_key_check from installation');
  expect(rows).toHaveLength(1);
  expect(rows[0].secret_key_check).toHaveLength(32);
  expect(rows[0].secret_key_check.equals(current)).toBe(false);
});
