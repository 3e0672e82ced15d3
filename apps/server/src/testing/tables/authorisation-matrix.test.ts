import { allScopes, type Scope } from '@bottega/contract';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { routesOf } from '../clients/app-routes.ts';
import { type Answer, call } from '../clients/http-client.ts';
import { goodClaims, signJwt } from '../clients/service-jwt.ts';
import { isNightly } from '../runner/thoroughness.ts';
import { issueAccessToken } from '../samples/oauth-tokens.ts';
import { standInSettings, useStandInAgent } from '../samples/stand-in-agent.ts';
import { useTestService } from '../service/test-service.ts';
import { type Asked, askRoute } from './ask-route.ts';
import {
  type Cast,
  createCast,
  createPlace,
  type Kind,
  kinds,
  type Person,
  type Place,
  people,
} from './authorisation-place.ts';
import type { Row } from './authorisation-row.ts';
import { authorisationTable, notOfAProject, whoHas } from './authorisation-table.ts';

// At night the owner gets a project for each caller who changes something.
const settings = { ...standInSettings, BOTTEGA_PROJECT_LIMIT_FREE: 'none' };
const service = useTestService({ role: 'api', settings });
useStandInAgent(service);

type OpenApi = { paths: Record<string, Record<string, { 'x-required-scopes'?: string[] }>> };
let document: OpenApi;
let cast: Cast;
let tables: string[];
type Signer = (scope?: string, sub?: string) => Promise<string>;
const signers: Partial<Record<Person, Signer>> = {};
beforeAll(async () => {
  document = (await call<OpenApi>('GET', `${service.url}/openapi.json`)).body;
  cast = await createCast(service);
  for (const person of people) {
    if (person === 'anonymous') continue;
    const { id } = cast[person];
    const { kid, secret } = await service.registerIssuer(id, `matrix of ${id}`.replaceAll(' ', '-'));
    const claims = goodClaims({ issuer: `matrix-of-${id}`, userId: id, audience: 'bottega' });
    signers[person] = (scope, sub = id) =>
      signJwt({ secret, claims: { ...claims, sub, ...(scope && { scope }) }, header: { kid } });
  }
  const { rows } = await service.pool.query(
    "select table_name from information_schema.columns where table_schema = 'public' and column_name = 'project_id' order by 1",
  );
  tables = rows.map((row) => row.table_name);
});

const credentials = [
  'an API key of all scopes',
  'an API key of the wrong scope',
  'a service JWT of all scopes',
  'a service JWT of the wrong scope',
  'an OAuth token of all scopes',
  'an OAuth token of the wrong scope',
] as const;
const hasWrongScope = ({ credential }: Caller): boolean => credential.endsWith('of the wrong scope');
const isRefusedApp = ({ notForApps }: Row, { credential }: Caller): boolean =>
  Boolean(notForApps) && credential.startsWith('an OAuth token');
type Credential = (typeof credentials)[number] | 'no credential';
type Caller = { person: Person; credential: Credential };

const callers: Caller[] = people.flatMap((person): Caller[] =>
  person === 'anonymous'
    ? [{ person, credential: 'no credential' }]
    : credentials.map((credential) => ({ person, credential })),
);
/**
 * All callers in the first kind of project, and at night in every kind. In the other kinds each person has one kind of
 * credential, once with all scopes and once with the wrong one: identity and scopes are checked in sequence.
 */
function callersIn(kind: Kind, index: number): Caller[] {
  if (isNightly || kind === kinds[0]) return callers;
  const name = ['an API key', 'a service JWT', 'an OAuth token'][index % 3] ?? '';
  return callers.filter(({ person, credential }) => person === 'anonymous' || credential.startsWith(name));
}
/**
 * Callers who change something, which needs a separate place for each. By day: two, each with one kind of credential,
 * and one in the other kinds of project. Every route gets different ones.
 */
function someOf(allowed: Caller[], kind: Kind, index: number): Caller[] {
  if (isNightly) return allowed;
  const byPerson = people.map((person) => allowed.filter((caller) => caller.person === person));
  const each = byPerson
    .filter((own) => own.length > 0)
    .flatMap((own, position) => own.filter((_caller, number) => number === (index + position) % own.length));
  const max = kind === kinds[0] ? 2 : 1;
  return each.filter((_caller, number) => (number + index) % each.length < max);
}
const nameOf = ({ person, credential }: Caller): string => `${person} with ${credential}`;

/** The route, its row, and the name of its test. */
type Case = Asked & { index: number };
const cases = Object.entries(authorisationTable).flatMap(([route, rows], index) =>
  [rows].flat().map((row): [string, Case] => [row.label ? `${route} (${row.label})` : route, { route, row, index }]),
);

const isRead = ({ route, row }: Case): boolean => row.reads ?? route.startsWith('GET ');

const outside: Person[] = ['pending invitee', 'stranger'];
const seesIt = (kind: Kind, person: Person): boolean => kind === 'public' || !outside.includes(person);

function mayDo({ row }: Case, kind: Kind, caller: Caller): boolean {
  const { person } = caller;
  if (person === 'anonymous' || hasWrongScope(caller) || isRefusedApp(row, caller)) return false;
  if (row.needs === 'content' && seesIt(kind, person)) return true;
  return [...whoHas[row.needs], ...(row.also ?? [])].includes(person);
}

/** Identity comes first, then scopes, visibility, rights, and the state of the project. */
function expectedStatus(asked: Case, kind: Kind, caller: Caller): number {
  const { row } = asked;
  if (caller.person === 'anonymous') return 401;
  if (hasWrongScope(caller) || isRefusedApp(row, caller)) return 403;
  if (!mayDo(asked, kind, caller)) return seesIt(kind, caller.person) && !row.hidden ? 403 : 404;
  if (kind !== 'archived') return row.status;
  return row.whileArchived ?? (isRead(asked) ? row.status : 409);
}

function scopeOf({ route, row }: Case): Scope {
  const [method = '', path = ''] = route.split(' ');
  const documented = document.paths[path]?.[method.toLowerCase()]?.['x-required-scopes']?.[0];
  const scope = documented ?? row.scope;
  if (!scope) throw new Error(`${route} is not documented; say its scope in the table`);
  return scope as Scope;
}

/** Every scope except the required one; for a read also without the write that includes it. */
const allBut = (needed: Scope): Scope[] =>
  allScopes.filter((scope) => scope !== needed && scope !== needed.replace('read:', 'write:'));

const made = new Map<string, Promise<string | undefined>>();

/** One token for each person, kind of credential and set of scopes. */
async function tokenOf(caller: Caller, asked: Case): Promise<string | undefined> {
  const { person, credential } = caller;
  if (person === 'anonymous') return undefined;
  const scopes = hasWrongScope(caller) ? allBut(scopeOf(asked)) : null;
  const name = [person, credential, scopes].join();
  const token = made.get(name) ?? newToken(person, credential, scopes);
  made.set(name, token);
  return token;
}

async function newToken(
  person: keyof Cast,
  credential: Credential,
  scopes: Scope[] | null,
): Promise<string | undefined> {
  const { id } = cast[person];
  if (credential.startsWith('an OAuth token')) return (await issueAccessToken(service, id, scopes ?? allScopes)).token;
  if (credential.startsWith('a service JWT')) return signers[person as Person]?.(scopes?.join(' '));
  return (await service.createKey(id, { scopes: scopes ?? [] })).key;
}

async function ask(caller: Caller, asked: Case, place: Place): Promise<Answer> {
  // This also tests the other mount.
  const mount = caller.credential.startsWith('a service JWT') ? '/api' : '';
  return askWith(await tokenOf(caller, asked), asked, place, mount);
}

const askWith = (token: string | undefined, asked: Case, place: Place, mount = ''): Promise<Answer> =>
  askRoute(asked, place, { token, mount });

async function prepared({ row }: Case, kind: Kind): Promise<Place> {
  const place = await createPlace(service, cast, kind);
  await row.prepare?.(place);
  if (kind === 'archived') {
    await service.db.updateTable('projects').set({ status: kind }).where('id', '=', place.projectId).execute();
  }
  return place;
}

const places = new Map<Kind, Promise<Place>>();

/** One place shared by all requests that change nothing: each of them checks that nothing changed. */
function placeToLookAt(asked: Case, kind: Kind): Promise<Place> {
  if (asked.row.prepare) return prepared(asked, kind);
  const place = places.get(kind) ?? prepared(asked, kind);
  places.set(kind, place);
  return place;
}

/** A digest of every table with rows of projects, future tables included. */
async function digestOf({ projectId }: Place): Promise<Record<string, string>> {
  // Ownership of live texts is not a change: its lease is renewed by time alone.
  const told = tables.filter((table) => table !== 'live_owners');
  const parts = ['projects', ...told].map((table) => {
    const column = table === 'projects' ? 'id' : 'project_id';
    // Opening a text to find the positions of its comments reserves revisions, but does not change the text.
    const row = table === 'live_texts' ? "(to_jsonb(t) - '{revision,reserved_revision,updated_at}'::text[])" : 't';
    return `select '${table}' as name, md5(coalesce(string_agg(${row}::text, '|' order by ${row}::text), '')) as digest
            from ${table} t where ${column} = $1`;
  });
  // A named statement is planned once for each connection: planning takes longer than running it.
  const { rows } = await service.pool.query({ name: 'digest', text: parts.join(' union all '), values: [projectId] });
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
}

async function statusesOf(asked: Case, some: Caller[], placeFor: () => Promise<Place>) {
  const answers = await Promise.all(
    some.map(async (caller) => [nameOf(caller), (await ask(caller, asked, await placeFor())).status] as const),
  );
  return Object.fromEntries(answers);
}
const expectedOf = (asked: Case, kind: Kind, some: Caller[]) =>
  Object.fromEntries(some.map((caller) => [nameOf(caller), expectedStatus(asked, kind, caller)]));

describe('the table of rights', () => {
  test('has a row for every route of a project, and for no other', () => {
    const routes = routesOf(service.service.app);
    const ofProjects = routes.filter((route) => !notOfAProject.some((rule) => rule.test(route.split(' ')[1] ?? '')));
    expect(Object.keys(authorisationTable).sort()).toEqual(ofProjects);
    expect(ofProjects.length).toBeGreaterThan(30);
  });

  test('covers every documented operation with a project in its path', () => {
    const documented = Object.entries(document.paths)
      .filter(([path]) => path.includes('{project_id}'))
      .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`));
    const ofAdministrators = /^\w+ \/v1\/admin\//;
    const ofPeople = documented.filter((route) => !ofAdministrators.test(route));
    expect(ofPeople.filter((route) => !(route in authorisationTable))).toEqual([]);
  });
});

/** By day, the other two kinds take turns: each is tested for every second route. */
const casesIn = (kind: Kind): typeof cases =>
  isNightly || kind === kinds[0] ? cases : cases.filter((_case, number) => number % 2 === kinds.indexOf(kind) % 2);

describe.each(kinds)('in a project that is %s, the table says who may call', (kind) => {
  test.each(casesIn(kind))('%s', async (_name, asked) => {
    const changes = (caller: Caller) => !isRead(asked) && expectedStatus(asked, kind, caller) < 300;
    const everybody = callersIn(kind, asked.index);
    const others = everybody.filter((caller) => !changes(caller));
    const place = await placeToLookAt(asked, kind);
    const before = await digestOf(place);
    expect(await statusesOf(asked, others, async () => place)).toEqual(expectedOf(asked, kind, others));
    expect(await digestOf(place), 'what is refused or only reads changes nothing').toEqual(before);

    // Each caller has a separate place: what one deletes is gone for the next.
    const allowed = someOf(everybody.filter(changes), kind, asked.index);
    const statuses = await statusesOf(asked, allowed, () => prepared(asked, kind));
    expect(statuses).toEqual(expectedOf(asked, kind, allowed));
  });
});

describe('outsiders cannot read how a public project is built and run through', () => {
  const operations = cases.filter(([, { row }]) => row.needs === 'operations');

  test.each(operations)('%s', async (_name, asked) => {
    const place = await placeToLookAt(asked, 'public');
    const refused = await askWith(cast.stranger.key, asked, place);
    expect(refused.status).toBe(403);
    expect(refused.body).toMatchObject({ error: { code: 'AUTHORIZATION_ERROR' } });
    expect((await askWith(undefined, asked, place)).status).toBe(401);
    expect((await askWith(cast.viewer.key, asked, place)).status).toBe(asked.row.status);
  });
});

describe('a service account of the owner may call, in its own project and in no other, what the owner may call:', () => {
  const owner: Caller = { person: 'owner', credential: 'a service JWT of all scopes' };

  async function tokenFor(projectId: string, scopes: Scope[] = []): Promise<string> {
    const json = { name: 'robot', scopes, projects: [projectId] };
    const { key: token } = cast.owner;
    const { body } = await call('POST', `${service.url}/v1/user/service-accounts`, { token, json });
    return signers.owner?.(undefined, String(body.id)) ?? '';
  }

  beforeEach(() => service.db.deleteFrom('service_accounts').execute());

  test.each(cases)('%s', async (_name, asked) => {
    const place = await (isRead(asked) ? placeToLookAt(asked, 'private') : prepared(asked, 'private'));
    const before = await digestOf(place);
    const elsewhere = await tokenFor('prj_00000000000000000000000000');
    expect((await askWith(elsewhere, asked, place)).status).toBe(404);
    const narrow = await tokenFor(place.projectId, allBut(scopeOf(asked)));
    expect((await askWith(narrow, asked, place)).status).toBe(403);
    expect(await digestOf(place)).toEqual(before);
    const inside = await tokenFor(place.projectId);
    const expected = asked.row.asServiceAccount ?? expectedStatus(asked, 'private', owner);
    expect((await askWith(inside, asked, place)).status).toBe(expected);
  });
});
