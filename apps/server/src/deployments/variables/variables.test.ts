import type { PutVariable, Variable } from '@bottega/contract';
import { describe, expect, test } from 'vitest';
import { conflicting, expectError, invalid, missing } from '../../testing/clients/expect-error.ts';
import { call } from '../../testing/clients/http-client.ts';
import {
  buildSettings,
  deploy,
  deployed,
  logsOf,
  projectOf,
  setVariable,
  textOf,
} from '../../testing/samples/sample-deployments.ts';
import { inProject, newPlace, type Place } from '../../testing/samples/sample-files.ts';
import { addCollaborator } from '../../testing/samples/sample-projects.ts';
import { useTestService } from '../../testing/service/test-service.ts';

const service = useTestService({ settings: buildSettings });

const listOf = async (place: Place): Promise<Variable[]> =>
  (await inProject<{ data: Variable[] }>(place, 'GET', '/variables')).body.data;

const remove = (place: Place, name: string, query = '') => inProject(place, 'DELETE', `/variables/${name}${query}`);

const put = (place: Place, name: string, json: Partial<PutVariable>) =>
  inProject(place, 'PUT', `/variables/${name}`, { json });

/** Builds a page that shows the values of these variables. */
const telling = (...names: string[]) => ({
  build_command: `mkdir out; printf '%s' "${names.map((name) => `${name}=$${name}.`).join(' ')}" > out/index.html; cat out/index.html`,
  output_directory: 'out',
});

/**
 * The values that a build got, from its log. The log masks values, so the tests use short ones, which are not masked.
 */
async function given(place: Place, json: Record<string, unknown>): Promise<string> {
  const { id, status } = await deployed(place, json);
  const log = textOf(await logsOf(place, id));
  expect(status, log).toBe('success');
  return log;
}

describe('a variable', () => {
  test('is either secret, and shown to nobody, or plain, and shown to those who may change it', async () => {
    const place = await newPlace(service);
    const secret = await setVariable(place, 'TOKEN', {
      value: 'very secret',
      environments: ['production'],
      kind: 'secret',
    });
    expect(secret).toMatchObject({
      name: 'TOKEN',
      kind: 'secret',
      value: null,
      environments: ['production'],
      version: 1,
    });
    expect(secret.id).toMatch(/^var_/);
    await setVariable(place, 'API', { value: 'https://api.example.com', kind: 'plain' });
    expect(await listOf(place)).toMatchObject([
      { name: 'API', value: 'https://api.example.com', environments: null, updated_by: { id: place.user.id } },
      { name: 'TOKEN', value: null },
    ]);
    const viewer = await service.createUser({ name: 'Viewer' });
    await addCollaborator(service, place.projectId, viewer, {
      role: 'viewer',
      permissions: ['read'],
      status: 'active',
    });
    const seen = await listOf({ ...place, user: viewer });
    expect(seen.map(({ name, value }) => [name, value])).toEqual([
      ['API', null],
      ['TOKEN', null],
    ]);
  });

  test('is replaced by a PUT for the same environments, and its version rises', async () => {
    const place = await newPlace(service);
    const first = await setVariable(place, 'A', { value: '1', environments: ['preview', 'staging'], kind: 'plain' });
    const next = await setVariable(place, 'A', { value: '2', environments: ['staging', 'preview'], kind: 'plain' });
    expect(next).toMatchObject({ id: first.id, value: '2', version: 2, environments: ['preview', 'staging'] });
    expect(await listOf(place)).toHaveLength(1);
  });

  test('has one value in each environment, the last one that was set there', async () => {
    const place = await newPlace(service);
    await setVariable(place, 'A', { value: 'all', kind: 'plain' });
    await setVariable(place, 'A', { value: 'both', environments: ['preview', 'staging'], kind: 'plain' });
    await setVariable(place, 'A', { value: 'mine', environments: ['staging', 'production'], kind: 'plain' });
    expect((await listOf(place)).map(({ value, environments }) => [value, environments])).toEqual([
      ['all', null],
      ['both', ['preview']],
      ['mine', ['production', 'staging']],
    ]);
    await setVariable(place, 'A', { value: 'new', environments: ['preview'], kind: 'plain' });
    expect((await listOf(place)).map(({ value }) => value)).toEqual(['all', 'new', 'mine']);
  });

  test('can be deleted entirely, in some environments, or in those without a value of their own', async () => {
    const place = await newPlace(service);
    await setVariable(place, 'A', { value: 'all' });
    await setVariable(place, 'A', { value: 'both', environments: ['preview', 'staging'] });
    expectError(await remove(place, 'A', '?environments=production'), missing);
    expect((await remove(place, 'A', '?environments=preview,production')).status).toBe(204);
    expect((await listOf(place)).map(({ environments }) => environments)).toEqual([null, ['staging']]);
    expect((await remove(place, 'A', '?environments=*')).status).toBe(204);
    expect((await listOf(place)).map(({ environments }) => environments)).toEqual([['staging']]);
    await setVariable(place, 'A', { value: 'all' });
    expect((await remove(place, 'A')).status).toBe(204);
    expect(await listOf(place)).toEqual([]);
    expectError(await remove(place, 'A'), missing);
  });

  test('needs a name and a value that a process accepts, and their number in a project is limited', async () => {
    const place = await newPlace(service);
    for (const name of ['1A', 'A-B', 'a.b', 'A'.repeat(129), '%00'])
      expectError(await put(place, name, { value: 'x' }), invalid);
    expectError(await put(place, 'A', { value: 'x'.repeat(32_769) }), invalid);
    expectError(await put(place, 'A', { value: 'nul\0' }), invalid);
    expectError(await put(place, 'A', { value: 'x', environments: [] }), invalid);
    expectError(await put(place, 'A', { value: 'x', environments: ['Production'] }), invalid);
    expectError(await put(place, 'A', {}), invalid);
    await service.pool.query(
      `insert into variables (id, project_id, name, kind, value_encrypted)
       select 'var_' || $1 || n, $1, 'N' || n, 'plain', '' from generate_series(1, 200) as n`,
      [place.projectId],
    );
    expectError(await put(place, 'A', { value: 'x' }), conflicting);
    await service.pool.query('delete from variables where project_id = $1', [place.projectId]);
    for (let n = 0; n < 15; n++) await setVariable(place, `N${n}`, { value: 'x'.repeat(32_768) });
    expect((await put(place, 'N16', { value: 'x'.repeat(32_768) })).status).toBe(413);
  });

  test('has one value in each environment in the end, however many requests set it at once', async () => {
    const place = await newPlace(service);
    const sets = [['a'], ['a', 'b'], ['b', 'c'], ['c'], ['a', 'c'], ['b']];
    await Promise.all(sets.map((environments) => put(place, 'A', { value: 'x', environments })));
    const all = (await listOf(place)).flatMap(({ environments }) => environments ?? []);
    expect(all.toSorted()).toEqual(['a', 'b', 'c']);
  });
});

describe('a deployment', () => {
  test('gets the variables of its environment, which its own variables override', async () => {
    const place = await projectOf(service, { '/a.txt': 'a' });
    await setVariable(place, 'A', { value: 'all' });
    await setVariable(place, 'A', { value: 'prod', environments: ['production'] });
    await setVariable(place, 'B', { value: 'all' });
    await setVariable(place, 'C', { value: 'prev', environments: ['preview'] });
    const wanted = { ...telling('A', 'B', 'C'), environment_variables: { B: 'own' } };
    expect(await given(place, wanted)).toContain('A=prod. B=own. C=.');
    expect(await given(place, { ...wanted, environment: 'preview' })).toContain('A=all. B=own. C=prev.');
    const deployment = await deploy(place, wanted);
    expect(deployment.environment_variables).toEqual(['A', 'B']);
  });

  test('keeps the variables of the last deployment in its environment, unless it is given an empty list', async () => {
    const place = await projectOf(service, { '/a.txt': 'a' });
    await setVariable(place, 'P', { value: 'one' });
    await deployed(place, { environment_variables: { A: 'own', P: 'mine' } });
    expect(await given(place, telling('A', 'P'))).toContain('A=own. P=mine.');
    expect(await given(place, { ...telling('A', 'P'), environment: 'preview' })).toContain('A=. P=one.');
    expect(await given(place, { ...telling('A', 'P'), environment_variables: {} })).toContain('A=. P=one.');
  });

  test('does not keep a variable of the last deployment if the project has a newer value for it', async () => {
    const place = await projectOf(service, { '/a.txt': 'a' });
    await deployed(place, { environment_variables: { A: 'own', B: 'own' } });
    await setVariable(place, 'A', { value: 'new', environments: ['production'] });
    await setVariable(place, 'B', { value: 'new', environments: ['preview'] });
    expect(await given(place, telling('A', 'B'))).toContain('A=new. B=own.');
  });

  test('keeps its own variables when it is redeployed, and gets the present ones of the project', async () => {
    const place = await projectOf(service, { '/a.txt': 'a' });
    await setVariable(place, 'A', { value: 'old' });
    await setVariable(place, 'GONE', { value: 'was' });
    const first = await deployed(place, { ...telling('A', 'B', 'GONE'), environment_variables: { B: 'own' } });
    await setVariable(place, 'A', { value: 'new' });
    await remove(place, 'GONE');
    const again = await inProject<{ id: string }>(place, 'POST', `/deployments/${first.id}/redeploy`);
    await expect
      .poll(async () => textOf(await logsOf(place, again.body.id)), { timeout: 60_000 })
      .toContain('A=new. B=own. GONE=.');
    expect(textOf(await logsOf(place, first.id))).toContain('A=old. B=own. GONE=was.');
  });
});

describe('the value of a variable', () => {
  test('is in no table, event, answer, audit entry or log', async () => {
    const place = await projectOf(service, { '/a.txt': 'a' });
    const value = 'plainly-never-to-be-found';
    await setVariable(place, 'TOKEN', { value });
    await setVariable(place, 'SHOWN', { value: `${value}-2`, kind: 'plain', environments: ['preview'] });
    await deployed(place, { ...telling('TOKEN'), environment_variables: {} });
    await setVariable(place, 'TOKEN', { value: `${value}-3`, environments: ['preview'] });
    await remove(place, 'TOKEN');
    const { rows: tables } = await service.pool.query<{ name: string }>(
      "select format('%I', table_name) as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'",
    );
    for (const { name } of tables) {
      // A page was built from it, which is what its owner wanted.
      if (name === 'artifact_chunks') continue;
      const found = await service.pool.query(`select from ${name} t where t::text like $1 or t::text like $2 limit 1`, [
        `%${value}%`,
        `%${Buffer.from(value).toString('hex')}%`,
      ]);
      expect(found.rowCount, name).toBe(0);
    }
  });

  test('does not appear in the event and the audit entry of its change', async () => {
    const place = await newPlace(service);
    const { id } = await setVariable(place, 'A', { value: 'hidden-value', environments: ['staging'] });
    await remove(place, 'A');
    const { rows } = await service.pool.query(
      "select data from events where project_id = $1 and type = 'variable.updated' order by id",
      [place.projectId],
    );
    expect(rows.map(({ data }) => [data.variable_id, data.name, data.environments, data.deleted])).toEqual([
      [id, 'A', ['staging'], false],
      [id, 'A', ['staging'], true],
    ]);
    const log = await call<{ data: { action: string; subject_id: string }[] }>(
      'GET',
      `${service.url}/v1/user/audit-log`,
      {
        token: place.user.key,
      },
    );
    const actions = log.body.data.filter(({ subject_id }) => subject_id === id).map(({ action }) => action);
    expect(actions.toSorted()).toEqual(['variable.deleted', 'variable.set']);
    expect(log.text).not.toContain('hidden-value');
  });
});
