import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, expect, test, vi } from 'vitest';
import { readConfig } from '../foundation/config/index.ts';
import { secretBox } from '../foundation/crypto/secret-box.ts';
import { createLogger } from '../foundation/http/watching/logging.ts';
import { startJobWorker, type TaskHandlers } from '../foundation/jobs/worker.ts';
import { createMailer } from '../foundation/mail/index.ts';
import { useS3Server } from '../foundation/objects/s3-server.fixture.ts';
import { call } from '../testing/clients/http-client.ts';
import { startMailServer } from '../testing/parts/mail-server.ts';
import { waitFor } from '../testing/parts/wait-for.ts';
import { useTestService } from '../testing/service/test-service.ts';
import { useBackups, verifyFile } from './backups.fixture.ts';
import { makeScheduledBackup } from './scheduled.service.ts';

const mails = await startMailServer();
const service = useTestService({
  settings: { BOTTEGA_BACKUP_SCHEDULE: '30 3 * * *', BOTTEGA_SMTP_URL: mails.url },
});
const backups = useBackups();
const bucket = useS3Server();
afterAll(() => mails.close());

/** The job, as the queue runs it. */
function make(directory: string, settings: Record<string, string> = {}): Promise<void> {
  const config = readConfig({ BOTTEGA_BACKUP_DIR: directory, ...settings });
  const box = secretBox(service.secretKey, 'mail');
  const log = createLogger('silent');
  const mailer = createMailer({ url: mails.url, from: null, publicUrl: () => service.url, box, log });
  return makeScheduledBackup({ config, connection: service.database.connection, db: service.db, mailer }, '0.2.0');
}

type Readiness = { status: string; details: { backups: Record<string, unknown> } };
const readiness = async () => (await call<Readiness>('GET', `${service.url}/readyz`)).body;
const metric = async (name: string) =>
  Number(new RegExp(`^${name} (\\S+)$`, 'm').exec((await call('GET', `${service.url}/metrics`)).text)?.[1]);

test('a scheduled backup is made by one node, and only the newest backups are kept; other files stay', async () => {
  const directory = backups.newPath();
  mkdirSync(directory);
  const former = ['bottega-20250101T000000Z.backup', 'bottega-20250102T000000Z.backup', 'notes.txt'];
  for (const name of former) writeFileSync(join(directory, name), 'x');
  // One partial file of a killed process, and one that is being written.
  const drafts = ['bottega-20250103T000000Z.backup.part', 'bottega-20250104T000000Z.backup.part'];
  for (const name of drafts) writeFileSync(join(directory, name), 'x');
  utimesSync(join(directory, drafts[0] ?? ''), new Date(0), new Date(0));
  await make(directory, { BOTTEGA_BACKUP_KEEP: '2' });
  const names = readdirSync(directory).toSorted();
  expect(names).toEqual([
    'bottega-20250102T000000Z.backup',
    'bottega-20250104T000000Z.backup.part',
    expect.stringMatching(/^bottega-2.*Z\.backup$/),
    'notes.txt',
  ]);
  expect((await verifyFile(join(directory, names[2] ?? ''), null)).rows).toBeGreaterThan(0);
  const { rows } = await service.pool.query(
    "select identifier from graphile_worker._private_known_crontabs where identifier = 'backups:make'",
  );
  expect(rows).toHaveLength(1);
});

test('in a bucket, only the newest backups are kept, other objects stay, and abandoned uploads are aborted', async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'key');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
  for (const name of ['bottega-20250101T000000Z.backup', 'bottega-20250102T000000Z.backup', 'notes.txt']) {
    bucket.objects.set(`here/${name}`, Buffer.from('x'));
  }
  bucket.objects.set('elsewhere/bottega-20250101T000000Z.backup', Buffer.from('x'));
  bucket.uploads.set('1', { key: 'here/bottega-20250103T000000Z.backup', at: new Date(0), parts: new Map() });
  await make('s3://bucket/here', { BOTTEGA_BACKUP_KEEP: '2', BOTTEGA_S3_ENDPOINT: bucket.endpoint }).finally(() =>
    vi.unstubAllEnvs(),
  );
  expect([...bucket.objects.keys()].toSorted()).toEqual([
    'elsewhere/bottega-20250101T000000Z.backup',
    'here/bottega-20250102T000000Z.backup',
    expect.stringMatching(/^here\/bottega-2.*Z\.backup$/),
    'here/notes.txt',
  ]);
  expect(bucket.uploads.size).toBe(0);
});

test('a scheduled backup with a passphrase file is encrypted', async () => {
  const directory = backups.newPath();
  const file = backups.newPath();
  writeFileSync(file, 'a passphrase of some length\n');
  await make(directory, { BOTTEGA_BACKUP_PASSPHRASE_FILE: file });
  const [name = ''] = readdirSync(directory);
  await expect(verifyFile(join(directory, name), null)).rejects.toThrow('is encrypted');
  expect((await verifyFile(join(directory, name), 'a passphrase of some length')).rows).toBeGreaterThan(0);
});

test('a failed backup is reported at /readyz, in the metrics, and to each administrator once', async () => {
  const administrator = await service.createUser({ isAdmin: true });
  await make(backups.newPath());
  const made = await waitFor('the good one is seen', async () => {
    const { backups: part } = (await readiness()).details;
    return typeof part.last_made_at === 'string' && part;
  });
  expect(made).toMatchObject({ problem: null, last_path: expect.stringContaining('.backup') });
  expect(await metric('bottega_backup_failed')).toBe(0);
  expect(await metric('bottega_backup_last_success_seconds')).toBeGreaterThan(1_700_000_000);
  expect(await metric('bottega_backup_last_size_bytes')).toBeGreaterThan(1_000);

  const notADirectory = backups.newPath();
  writeFileSync(notADirectory, '');
  await expect(make(notADirectory)).rejects.toThrow('EEXIST');
  await expect(make(notADirectory)).rejects.toThrow('EEXIST');
  const failed = await waitFor('the failure is seen', async () => {
    const { status, details } = await readiness();
    return details.backups.problem !== null && { status, problem: details.backups.problem };
  });
  expect(failed).toEqual({ status: 'ready', problem: expect.stringMatching(/^The last backup, .*, failed: EEXIST/) });
  expect(await metric('bottega_backup_failed')).toBe(1);
  await make(backups.newPath());
  await expect(make(notADirectory)).rejects.toThrow('EEXIST');
  // Two failures in a row send one mail; a failure after a success sends another.
  const told = () =>
    mails.received.filter(({ to, mail }) => to === administrator.email && mail.subject?.includes('backup'));
  await waitFor('both mails are there', () => told().length >= 2);
  expect(told()).toHaveLength(2);
  expect(told()[0]?.mail.text).toContain(notADirectory);
});

test('an invalid schedule and an invalid bucket are reported at the start, in one line', async () => {
  expect(() => readConfig({ BOTTEGA_BACKUP_SCHEDULE: 'at night' })).toThrow('BOTTEGA_BACKUP_SCHEDULE');
  expect(() => readConfig({ BOTTEGA_BACKUP_DIR: 's3://' })).toThrow('BOTTEGA_BACKUP_DIR');
  const pool = new pg.Pool(service.database.connection);
  const handlers = {} as TaskHandlers;
  const starting = startJobWorker({ pool, log: createLogger('silent'), handlers, backupSchedule: '99 3 * * *' });
  await expect(starting).rejects.toThrow('Bad setting BOTTEGA_BACKUP_SCHEDULE');
  await pool.end();
});
