import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Deployment } from '@bottega/contract';
import { describe, expect, test } from 'vitest';
import { conflicting, expectError } from '../../testing/clients/expect-error.ts';
import {
  deployed,
  projectOf,
  readDeployment,
  visit,
  waitingDeployment,
} from '../../testing/samples/sample-deployments.ts';
import { commit, inProject, type Place } from '../../testing/samples/sample-files.ts';
import { type TestUser, useTestService } from '../../testing/service/test-service.ts';
import { branchLabel, isBranchLabel } from '../state/branch-label.ts';
import { retireOldPreviews } from './retire.service.ts';

const service = useTestService();
const git = (...args: string[]) => promisify(execFile)('git', args);

async function branched(name: string): Promise<Place & { user: TestUser }> {
  const place = await projectOf(service, { '/index.html': 'first' });
  expect((await inProject(place, 'POST', '/branches', { json: { name } })).status).toBe(201);
  return place;
}

const preview = (place: Place, branch: string, environment = 'preview') => deployed(place, { environment, branch });

const statusAt = (url: string | null) => expect.poll(async () => (await visit(`${url}/`)).status, { timeout: 20_000 });

describe('the address of a branch', () => {
  test('shows the newest preview of the branch, and each preview keeps its own address', async () => {
    const place = await branched('feature/one');
    const first = await preview(place, 'feature/one');
    expect(first.branch_url).toContain('://feature-one-');
    expect((await visit(`${first.branch_url}/`)).text).toBe('first');
    const moved = await commit(place, [{ action: 'update', path: '/index.html', content: 'second' }], {
      message: 'Next',
    });
    expect(moved.status).toBe(201);
    const second = await preview(place, 'main');
    expect(second.branch_url).not.toBe(first.branch_url);
    const again = await preview(place, 'main', 'staging');
    expect(again.branch_url).toBe(second.branch_url);
    expect((await visit(`${again.branch_url}/`)).text).toBe('second');
    expect((await visit(`${first.url}/`)).text).toBe('first');
    const live = await deployed(place);
    expect(live).toMatchObject({ branch_url: null, retired_at: null, is_live: true });
  });

  test('is a valid host name for any branch name, and never that of a project, a deployment or another branch', () => {
    const names = ['main', 'x', 'ß', '🚀', 'A/B', 'a-b', 'a/b', 'xn--a', '-', 'long/'.repeat(50), '..', 'dep-01', 'é'];
    const labels = names.flatMap((name) => [branchLabel('prj_1', name), branchLabel('prj_2', name)]);
    expect(new Set(labels).size).toBe(labels.length);
    for (const label of labels) {
      expect(label).toMatch(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/);
      expect(label.length).toBeLessThanOrEqual(63);
      expect(label.slice(2, 4)).not.toBe('--');
      expect(isBranchLabel(label)).toBe(true);
    }
    expect(
      ['shop-7q4w1t', 'prj-01jd2m6vz8e3r9x5k7q4w1t0ab', 'dep-01jd2m6vz8e3r9x5k7q4w1t0ab'].some(isBranchLabel),
    ).toBe(false);
  });

  test('without a preview is a 404', async () => {
    const place = await branched('feature');
    const { branch_url: url } = await preview(place, 'feature');
    const other = String(url).replace(/-[0-9a-z]{16}\./, '-0000000000000000.');
    expect((await visit(`${other}/`)).status).toBe(404);
  });
});

describe('a preview', () => {
  async function expectRetired(place: Place, former: Deployment): Promise<void> {
    const now = await readDeployment(place, former.id);
    expect(now).toMatchObject({ status: 'success', url: null, branch_url: null });
    expect(now.retired_at).not.toBeNull();
    await statusAt(former.url).toBe(410);
    await statusAt(former.branch_url).toBe(410);
    expectError(await inProject(place, 'POST', `/deployments/${former.id}/promote`), conflicting);
  }

  test('is retired when its branch is deleted by REST, and its waiting deployments are canceled', async () => {
    const place = await branched('feature');
    const [done, kept] = [await preview(place, 'feature'), await preview(place, 'main')];
    const { id } = await waitingDeployment(place, 'staging');
    await service.pool.query("update deployments set branch = 'feature' where id = $1", [id]);
    expect((await inProject(place, 'DELETE', '/branches/feature')).status).toBe(204);
    await expectRetired(place, done);
    expect(await readDeployment(place, id)).toMatchObject({
      status: 'canceled',
      error: { type: 'canceled', message: 'The branch was deleted' },
    });
    expect(await readDeployment(place, kept.id)).toMatchObject({ retired_at: null, url: kept.url });
  });

  test('is retired when its branch is deleted by a push', async () => {
    const place = await branched('feature');
    const done = await preview(place, 'feature');
    const { host } = new URL(service.url);
    const address = `http://any:${place.user.key}@${host}/git/${place.projectId}.git`;
    const work = await mkdtemp(join(tmpdir(), 'bottega-previews-'));
    await git('init', '-q', work);
    await git('-C', work, 'push', '-q', address, '--delete', 'feature');
    await rm(work, { recursive: true });
    await expectRetired(place, done);
  });

  test('is not retired while it is live, and production deployments are not retired either', async () => {
    const place = await branched('feature');
    const [production, live] = [await deployed(place, { branch: 'feature' }), await preview(place, 'feature')];
    await inProject(place, 'POST', `/deployments/${live.id}/promote`);
    await inProject(place, 'DELETE', '/branches/feature');
    for (const { id } of [production, live]) expect((await readDeployment(place, id)).url).not.toBeNull();
  });

  test('is retired after a number of days, if that number is set', async () => {
    const place = await branched('feature');
    const [old, young] = [await preview(place, 'feature'), await preview(place, 'main')];
    const production = await deployed(place);
    await service.pool.query("update deployments set completed_at = now() - interval '31 days' where id = any($1)", [
      [old.id, production.id],
    ]);
    await retireOldPreviews(service.db, 0);
    expect((await readDeployment(place, old.id)).retired_at).toBeNull();
    await retireOldPreviews(service.db, 30);
    await expectRetired(place, old);
    for (const { id } of [young, production]) expect((await readDeployment(place, id)).url).not.toBeNull();
  });
});

test('the environments of a project are those with deployments and those that its variables name', async () => {
  const place = await projectOf(service, { '/index.html': 'x' });
  const staging = await preview(place, 'main', 'staging');
  await inProject(place, 'PUT', '/variables/A', { json: { value: 'x', environments: ['testing', 'staging'] } });
  const live = await deployed(place);
  const { body } = await inProject<{ data: { name: string; latest_deployment: Deployment | null }[] }>(
    place,
    'GET',
    '/environments',
  );
  expect(body.data.map(({ name, latest_deployment: latest }) => [name, latest?.id ?? null])).toEqual([
    ['production', live.id],
    ['staging', staging.id],
    ['testing', null],
  ]);
});
