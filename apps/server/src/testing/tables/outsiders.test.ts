import { eventCatalogue, eventTypes } from '@bottega/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../foundation/ids.ts';
import { agentWith } from '../../mcp/agent.fixture.ts';
import { allTools } from '../../mcp/tools/tool-list.ts';
import { routesOf } from '../clients/app-routes.ts';
import { call } from '../clients/http-client.ts';
import { standInSettings, useStandInAgent } from '../samples/stand-in-agent.ts';
import { useTestService } from '../service/test-service.ts';
import { askRoute } from './ask-route.ts';
import { type Cast, createCast, createPlace, type Place } from './authorisation-place.ts';
import { authorisationTable } from './authorisation-table.ts';
import { type Planted, plantOperations } from './planted.ts';

const service = useTestService({ role: 'api', settings: standInSettings });
useStandInAgent(service);

let cast: Cast;
let place: Place;
let planted: Planted['words'];
let named: Planted['named'];
beforeAll(async () => {
  cast = await createCast(service);
  place = await createPlace(service, cast, 'public');
  ({ words: planted, named } = await plantOperations(place));
  const events = eventTypes.map((type) => ({ id: newId('evt'), type, data: eventCatalogue[type].example }));
  await service.pool.query(
    `insert into events (id, type, account_id, project_id, data)
     select id, type, $2, $3, data from jsonb_to_recordset($1::jsonb) as e (id text, type text, data jsonb)`,
    [JSON.stringify(events), cast.owner.id, place.projectId],
  );
});

/** Each route that only reads, with the request in the authorisation table. */
const reads = Object.entries(authorisationTable).flatMap(([route, rows]) =>
  [rows]
    .flat()
    .flatMap((row) => (route.startsWith('GET ') && row.query !== '?service=git-receive-pack' ? [{ route, row }] : [])),
);

/** Routes that list many projects at once. */
const acrossProjects = (projectId: string): string[] => [
  '/v1/projects?visibility=public',
  `/v1/events?project_id=${projectId}&limit=100`,
  `/v1/webhooks?project_id=${projectId}`,
  '/v1/notifications',
  `/v1/collaboration/sessions?project_id=${projectId}`,
  '/v1/user/audit-log',
];

async function toldTo(token: string): Promise<Record<string, string>> {
  const told: Record<string, string> = {};
  for (const [number, some] of named.entries()) {
    const parameters = { ...place.parameters, ...some };
    // Without the table's preparation.
    for (const asked of reads) {
      told[`${asked.route} ${number}`] = (await askRoute(asked, { ...place, parameters }, { token })).text;
    }
  }
  for (const path of acrossProjects(place.projectId)) {
    told[path] = (await call('GET', `${service.url}${path}`, { token })).text;
  }
  return told;
}

const tellingOf = (told: Record<string, string>, word: string): string[] =>
  Object.keys(told).filter((route) => told[route]?.includes(word));

describe('a public project', () => {
  test('shows its owner, on some route, every detail of how it is run', async () => {
    const told = await toldTo(cast.owner.key);
    const untold = Object.entries(planted).filter(([, word]) => tellingOf(told, word).length === 0);
    expect(untold).toEqual([]);
  });

  test('shows outsiders none of these details on any route that reads', async () => {
    const told = await toldTo(cast.stranger.key);
    const leaks = Object.entries(planted).flatMap(([what, word]) =>
      tellingOf(told, word).map((route) => `${route} tells ${what}`),
    );
    expect(leaks).toEqual([]);
  });

  test('shows outsiders only its live deployment in the list of deployments', async () => {
    const path = `${service.url}/v1/projects/${place.projectId}/deployments`;
    const { body } = await call<{ data: unknown[]; pagination: unknown }>('GET', path, { token: cast.stranger.key });
    expect(body.data).toEqual([
      expect.objectContaining({
        is_live: true,
        build_command: null,
        environment_variables: [],
        own_environment_variables: [],
        branch_url: null,
        logs_url: '',
        app: null,
      }),
    ]);
    expect(body.pagination).toMatchObject({ total: 1 });
  });

  test('shows outsiders only its working domains in the list of domains', async () => {
    const path = `${service.url}/v1/projects/${place.projectId}/domains`;
    const { body } = await call<{ data: unknown[] }>('GET', path, { token: cast.stranger.key });
    expect(body.data).toEqual([
      expect.objectContaining({ domain: 'open.example.org', reason: null, redirect_to: null, records: [] }),
    ]);
  });

  test('does not reveal that a domain is pending when somebody names it as a target', async () => {
    const path = `${service.url}/v1/projects/${place.projectId}/domains`;
    const detailsOf = async (redirect_to: string) => {
      const json = { domain: '', redirect_to };
      return (await call<{ error: { details: unknown } }>('POST', path, { token: cast.stranger.key, json })).body.error
        .details;
    };
    expect(await detailsOf('unknown.example.org')).toEqual(await detailsOf('planted-pending.example.org'));
  });

  test('refuses outsiders its webhooks and deliveries on every route that reads them', async () => {
    const ofWebhook = routesOf(service.service.app).filter((route) =>
      /^GET \/v1\/webhooks\/\{webhook_id\}/.test(route),
    );
    expect(ofWebhook.length).toBeGreaterThan(3);
    const parameters = { ...place.parameters, ...named[0], delivery_id: 'dlv_00000000000000000000000000' };
    for (const route of ofWebhook) {
      const asked = { route, row: { needs: 'manage', status: 200 } } as const;
      const answer = await askRoute(asked, { ...place, parameters }, { token: cast.stranger.key });
      expect([route, answer.status]).toEqual([route, 403]);
    }
  });

  test('shows events of every type to its members, and none to outsiders', async () => {
    const typesFor = async (token: string) => {
      const path = `/v1/events?project_id=${place.projectId}&limit=100`;
      const { body } = await call<{ data: { event: string }[] }>('GET', `${service.url}${path}`, { token });
      return new Set(body.data.map(({ event }) => event));
    };
    expect(await typesFor(cast.stranger.key)).toEqual(new Set());
    expect((await typesFor(cast.viewer.key)).size).toBe(eventTypes.length);
  });
});

describe('an agent of an outsider learns nothing about how a public project is run from', () => {
  const isRead = ({ scope }: { scope: string }) => scope.startsWith('read:');

  test.each(allTools.filter(isRead).map((tool) => [tool.name, tool] as const))('%s', async (name, tool) => {
    const given: Record<string, unknown> = {
      ...place.parameters,
      path: '/a.txt',
      query: 'one',
      visibility: 'public',
    };
    const input = Object.fromEntries(Object.entries(given).filter(([field]) => field in tool.input.properties));
    const agent = await agentWith(`${service.url}/mcp?tools=all`, cast.stranger.key);
    const { text } = await agent.call(name, input);
    await agent.close();
    expect(Object.entries(planted).filter(([, word]) => text.includes(word))).toEqual([]);
  });
});
