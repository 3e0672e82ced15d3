import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bringSecretKey, mustHaveNoNextKey } from './brought-key.ts';

const key = Buffer.alloc(32, 1);
const asFile = `${key.toString('base64')}\n`;

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'bottega-key-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const write = (name: string, text: string) => writeFileSync(join(dataDir, name), text);
const read = (name: string) => readFileSync(join(dataDir, name), 'utf8');

test('a new key replaces nothing before it is placed, and leaves nothing behind if it is abandoned', () => {
  write('secret.key', 'present');
  const brought = bringSecretKey(dataDir, key, { mayReplace: true });
  expect(read('secret.key')).toBe('present');
  brought.abandon();
  expect(readdirSync(dataDir)).toEqual(['secret.key']);
});

test('a key that is replaced is kept under a name that no file had', () => {
  const former = ['first', 'second', 'third'].map((text) => {
    write('secret.key', text);
    const path = bringSecretKey(dataDir, key, { mayReplace: true }).place();
    expect(read('secret.key')).toBe(asFile);
    rmSync(join(dataDir, 'secret.key'));
    return readFileSync(path ?? '', 'utf8');
  });
  expect(former).toEqual(['first', 'second', 'third']);
  expect(readdirSync(dataDir)).toHaveLength(3);
});

test('a key that appeared meanwhile is not replaced without permission', () => {
  const brought = bringSecretKey(dataDir, key, { mayReplace: false });
  write('secret.key', 'of somebody else');
  expect(() => brought.place()).toThrow('EEXIST');
  expect(read('secret.key')).toBe('of somebody else');
});

test('a directory with the next key of a rotation is refused', () => {
  mustHaveNoNextKey(dataDir);
  write('secret.key.next', 'next');
  expect(() => mustHaveNoNextKey(dataDir)).toThrow('an unfinished rotation of the secret key');
});
