import { afterEach, expect, test, vi } from 'vitest';
import { useBackups } from '../backups/backups.fixture.ts';
import { useCli } from '../testing/clients/cli.ts';
import { withProgress } from './backup-progress.ts';
import { urlOf } from './database-url.fixture.ts';

const cli = useCli();
const backups = useBackups();
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('a backup first of all reports on standard error that it has begun', async () => {
  const settings = { BOTTEGA_DATA_DIR: await cli.newDataDir(), DATABASE_URL: urlOf(await backups.newDatabase()) };
  expect(await cli.run(['backup', backups.newPath()], settings)).toMatchObject({
    code: 1,
    stdout: '',
    stderr: 'Backing up everything\nbottega: The database has no Bottega tables, so there is nothing to back up.\n',
  });
});

test('without a terminal, progress is written at once and then every few seconds, however long a step takes', async () => {
  vi.useFakeTimers();
  const written: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  const { isTTY } = process.stderr;
  process.stderr.isTTY = false;
  try {
    const result = await withProgress('Begun', async (tell) => {
      expect(written).toEqual(['Begun\n']);
      tell('One');
      tell('Two');
      await vi.advanceTimersByTimeAsync(11_000);
      return 'done';
    });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(result).toBe('done');
  } finally {
    process.stderr.isTTY = isTTY;
  }
  expect(written).toEqual(['Begun\n', 'Two\n', 'Two\n']);
});
