import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../foundation/ids.ts';
import { type Browser, signedInBrowser } from '../clients/browser.ts';
import { call } from '../clients/http-client.ts';
import { byNight, fuzzRuns, fuzzSeed } from '../runner/thoroughness.ts';
import { issueAccessToken } from '../samples/oauth-tokens.ts';
import { sampleChecks } from '../samples/sample-checks.ts';
import { invite, tokenOf } from '../samples/sample-collaborators.ts';
import { deployed, waitingDeployment } from '../samples/sample-deployments.ts';
import { inProject, listFiles, type Place, writeFile } from '../samples/sample-files.ts';
import { sampleRequest, sampleRule } from '../samples/sample-merge-requests.ts';
import { createProject, onProject, readProject } from '../samples/sample-projects.ts';
import { joinSession, onSessions, startSession } from '../samples/sample-sessions.ts';
import { createWebhook, onWebhooks } from '../samples/sample-webhooks.ts';
import { schemasOf } from '../samples/schema-arbitrary.ts';
import {
  plantSnapshot,
  standInSettings,
  standIns,
  standInWorkspace,
  useStandInAgent,
} from '../samples/stand-in-agent.ts';
import { startTestService, type TestUser } from '../service/test-service.ts';
import { type GeneratedRequest, type OpenApi, type Operation, operationsOf, requestsOf } from './openapi-operations.ts';

const numRuns = fuzzRuns(200, 3);
const timeout = 120_000 + numRuns * 1_000;
/** Number of samples for each operation. Making them takes longer than the requests themselves. */
const samples = byNight(3, 1);

const { running: service, close } = await startTestService({ settings: standInSettings });
useStandInAgent(service);
const document = (await call<OpenApi>('GET', `${service.url}/openapi.json`)).body;
const isRead = ({ method }: Operation): boolean => method === 'get';
/** Reads come first: they leave their data unchanged for the next. */
const operations = operationsOf(document).toSorted((one, other) => Number(isRead(other)) - Number(isRead(one)));
const schemas = schemasOf(document);
const agent = new Agent({ keepAlive: true });
afterAll(async () => {
  agent.destroy();
  await close();
});

let user: TestUser;
let browser: Browser;
let stranger: TestUser;
let ada: TestUser;
let theirs: string;
/** Ids that exist or did, by the name of their placeholder; created ids are added. */
const known: Record<string, string[]> = {
  project_id: [],
  key_id: [],
  service_id: [],
  account_id: [],
  app_id: [],
  template_id: [],
  webhook_id: [],
  delivery_id: [],
};
beforeAll(async () => {
  user = await service.createUser({ isAdmin: true });
  stranger = await service.createUser();
  ada = await service.createUser({ email: 'ada@example.com' });
  theirs = (await createProject(service, stranger)).id;
  for (let index = 0; index < 20; index++) {
    known.project_id?.push((await createProject(service, user)).id);
    known.key_id?.push((await service.createKey(user.id)).id);
    known.app_id?.push((await issueAccessToken(service, user.id, ['read:user'])).appId);
    known.service_id?.push((await service.registerIssuer(user.id, `fuzz-${index}`)).id);
    const robot = { name: `Robot ${index}`, projects: [theirs] };
    const made = await call('POST', `${service.url}/v1/user/service-accounts`, { token: user.key, json: robot });
    known.account_id?.push(String(made.body.id));
  }
  known.project_id?.push(theirs);
});

/** Webhooks with a delivery, new for each operation: earlier ones change and delete them. */
async function furnishWebhooks(): Promise<void> {
  await service.db.deleteFrom('webhooks').execute();
  Object.assign(known, { webhook_id: [], delivery_id: [] });
  for (let index = 0; index < samples; index++) {
    // Nobody listens there, so deliveries fail at once.
    const { webhook_id } = await createWebhook(service, user, { url: 'http://127.0.0.1:1/', events: ['*'] });
    const tested = await onWebhooks<{ delivery_id: string }>(service, user, ['POST', `/${webhook_id}/test`]);
    known.webhook_id?.push(webhook_id);
    known.delivery_id?.push(tested.body.delivery_id);
  }
}

/** The contents of each of these projects, by the name of the placeholder. */
const inside = new Map<string, Record<string, string[]>>();

/** Another user's projects with an invitation and a transfer that only the recipient may answer. */
async function furnishInvitations(): Promise<void> {
  inside.clear();
  known.token = [];
  for (let index = 0; index < samples; index++) {
    const { id: projectId } = await createProject(service, stranger);
    const sent = await invite(service, stranger, projectId, { email: user.email });
    await onProject(service, stranger, `${projectId}/transfer`, ['POST', { user_id: user.id }]);
    inside.set(projectId, { collaborator_id: [sent.id] });
    known.token.push(tokenOf(sent), sent.id);
  }
  known.project_id = [...inside.keys()];
}

/** Projects with contents, new for each operation: earlier ones delete and archive them. */
const furnishProjects = () => furnish({ withDeployments: false });
const furnishDeployments = () => furnish({ withDeployments: true });
async function furnish({ withDeployments }: { withDeployments: boolean }): Promise<void> {
  inside.clear();
  for (let index = 0; index < samples; index++) {
    const repository = { url: 'http://repository.invalid/x.git' };
    const place = { service, user, projectId: (await createProject(service, user, { repository })).id };
    await writeFile(place, '/README.md', 'x\n');
    const { commit_sha: sha } = await writeFile(place, '/a/b.txt', 'A name of some words\n');
    for (const name of ['one', 'two/three']) await inProject(place, 'POST', '/branches', { json: { name } });
    const ids = (await listFiles(place)).map(({ id }) => id);
    const about = { file_path: '/README.md', position: { line: 1, column: 1 }, content: 'Why?' };
    const comment = await inProject<{ id: string }>(place, 'POST', '/comments', { json: about });
    await inProject(place, 'PUT', '/variables/TOKEN', { json: { value: 'x' } });
    const domain = { id: newId('dom'), project_id: place.projectId, domain: 'www.example.org' };
    await service.db.insertInto('domains').values(domain).execute();
    const emails = ['one@example.org', 'two@example.org'];
    const sent = await Promise.all(emails.map((email) => invite(service, user, place.projectId, { email })));
    const request = await sampleRequest(place);
    const { rule_id } = await sampleRule(place);
    const checks = await sampleChecks(place);
    inside.set(place.projectId, {
      check_id: Object.values(checks),
      number: [request.number],
      thread_id: [request.thread_id],
      review_comment_id: [request.review_comment_id],
      rule_id: [rule_id],
      file_id: ids,
      sha: [sha ?? ''],
      branch: ['main', 'one', 'two%2Fthree'],
      collaborator_id: sent.map(({ id }) => id),
      deployment_id: withDeployments ? await deploymentsOf(place) : [],
      domain: [domain.id, domain.domain],
      comment_id: [comment.body.id],
      name: ['TOKEN'],
      workspace_id: [await standInWorkspace(service, { projectId: place.projectId, userId: user.id })],
      snapshot_id: [await plantSnapshot(service, place.projectId)],
      command_id: [standIns.command_id],
      terminal_id: [standIns.terminal_id],
      pid: [standIns.pid],
      agent_id: [standIns.agent_id],
      port: ['3000'],
    });
  }
  known.project_id = [...inside.keys()];
}

/** Sessions with another participant, new for each operation: earlier ones leave and end them. */
async function furnishSessions(): Promise<void> {
  // The projects are new too: those of earlier operations may be archived, or belong to somebody else.
  Object.assign(known, { session_id: [], user_id: [stranger.id], comment_id: [], project_id: [] });
  for (let index = 0; index < samples; index++) {
    const { id: projectId } = await createProject(service, user);
    await writeFile({ service, user, projectId }, '/README.md', 'x\n');
    const session = await startSession(service, user, { workspace_id: projectId });
    await joinSession(service, stranger, session, { byLink: true });
    known.session_id?.push(session.session_id);
    known.project_id?.push(projectId);
    const comment = {
      file_path: '/README.md',
      position: { line: 1, column: 1 },
      content: 'Why?',
      type: 'suggestion',
      suggestion: 'y',
    };
    const asked: [string, string, unknown] = ['POST', `/${session.session_id}/comments`, comment];
    known.comment_id?.push((await onSessions<{ id: string }>(service, user, asked)).body.id);
  }
}

/** Offers them to the user in the document's example. */
async function offerAll(): Promise<void> {
  for (const id of inside.keys()) await onProject(service, user, `${id}/transfer`, ['POST', { email: ada.email }]);
}

/** Templates of the user, and projects to publish. */
async function furnishTemplates(): Promise<void> {
  await furnishProjects();
  await service.db.deleteFrom('templates').execute();
  known.template_id = ['empty'];
  for (const id of inside.keys()) {
    const json = { project_id: id, name: 'Sample' };
    const { body } = await call<{ id: string }>('POST', `${service.url}/v1/templates`, { token: user.key, json });
    known.template_id.push(body.id);
  }
}

/** The document's example of an id stands for one that exists. */
const exampleProject = 'prj_01jd2m6vz8e3r9x5k7q4w1t0ab';

/** One deployment that has succeeded and one that waits. */
async function deploymentsOf(place: Place): Promise<string[]> {
  await writeFile(place, '/index.html', 'Hello');
  return [(await deployed(place)).id, (await waitingDeployment(place, 'preview')).id];
}

type Received = { status: number; headers: IncomingHttpHeaders; text: string };

function addressOf(operation: Operation, generated: GeneratedRequest): string {
  let project = known.project_id?.[0] ?? '';
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const value = generated.path[name];
    if (value && 'text' in value) return value.text;
    const ids = inside.get(project)?.[name] ?? known[name];
    if (!ids) throw new Error(`The test has no ids for {${name}}; give it some`);
    const id = ids[(value?.known ?? 0) % ids.length] ?? '';
    if (name === 'project_id') project = id;
    return id;
  });
  const query = generated.query.map(([name, value]) => `${name}=${value}`).join('&');
  return query === '' ? path : `${path}?${query}`;
}

/** A user who may be signed out or deleted, with accounts and sessions to find; new for each operation. */
const furnishAccounts = async () => signIn(await service.createUser());
const furnishAdministration = () => signIn(user);
async function signIn(somebody: TestUser): Promise<void> {
  browser = await signedInBrowser(service.url, somebody);
  const others = await Promise.all(Array.from({ length: samples }, () => signedInBrowser(service.url, somebody)));
  known.session_id = others.map(({ session }) => session.id);
  known.user_id = [(await service.createUser()).id, (await service.createUser()).id];
}

/** Limits on guessing are tested elsewhere. */
const forgetAttempts = () => service.pool.query('delete from attempt_budgets');

function credentialsFor({ security = [] }: Operation, credential: GeneratedRequest['credential']) {
  if (credential === 'none') return {};
  if (credential === 'bad') return { authorization: 'Bearer bad' };
  const bySession = security.length > 0 && !security.some(({ bearer }) => bearer);
  if (!bySession) return { authorization: `Bearer ${user.key}` };
  return { cookie: browser.cookie, 'x-csrf-token': browser.session.csrf_token };
}

/** Does not use fetch: the URL has to arrive unchanged. */
function send(operation: Operation, generated: GeneratedRequest): Promise<Received> {
  const { credential, headers } = generated;
  const body = generated.body?.replaceAll(exampleProject, known.project_id?.[0] ?? '');
  return new Promise((resolve, reject) => {
    const sent = request(
      new URL(service.url),
      {
        agent,
        method: operation.method.toUpperCase(),
        path: addressOf(operation, generated),
        headers: {
          ...headers,
          ...credentialsFor(operation, credential),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
      },
      (answer) => {
        readText(answer).then(
          (text) => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }),
          reject,
        );
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

function checkAnswer(operation: Operation, generated: GeneratedRequest, { status, headers, text }: Received): void {
  expect(status, text).toBeLessThan(500);
  expect(headers['x-request-id']).toMatch(/^req_[0-9a-z]{26}$/);
  for (const name of ['limit', 'remaining', 'reset', 'window']) expect(headers[`x-ratelimit-${name}`]).toMatch(/^\d+$/);
  if (status >= 400) {
    const { error } = expectFit(['components', 'schemas', 'Error'], text) as { error: Record<string, unknown> };
    expect(error.request_id).toBe(headers['x-request-id']);
    expect(error.message).not.toBe('');
  }
  // Refused before an operation is chosen: URL and headers together are too large.
  if (status === 431) return;
  // A mutated URL may lead to another route, or to none.
  if (Object.values(generated.path).some((value) => 'text' in value && /[./;]/.test(value.text))) return;
  expect(Object.keys(operation.responses)).toContain(String(status));
  if (status === 204) expect(text).toBe('');
  else if (status < 300 && operation.responses[status]?.content?.['application/json']) {
    const response = ['paths', operation.path, operation.method, 'responses', String(status)];
    expectFit([...response, 'content', 'application/json', 'schema'], text);
  }
}

function expectFit(schema: string[], text: string): unknown {
  const body: unknown = JSON.parse(text);
  const fits = schemas.validator(...schema);
  expect(fits(body), JSON.stringify(fits.errors)).toBe(true);
  return body;
}

const prefixes: Record<string, string> = {
  prj: 'project_id',
  key: 'key_id',
  svc: 'service_id',
  sva: 'account_id',
  app: 'app_id',
  tpl: 'template_id',
};
function remember({ status, text }: Received): void {
  const { id } = status === 201 ? JSON.parse(text) : { id: '' };
  known[prefixes[String(id).slice(0, 3)] ?? '']?.push(id);
}

type Furnish = () => Promise<void>;

function furnishersOf({ path, method }: Operation): Furnish[] {
  const all: Furnish[] = [];
  if (/(accept|decline)$|\{token\}/.test(path)) all.push(furnishInvitations);
  else if (path.includes('{deployment_id}')) all.push(furnishDeployments);
  else if (/\{project_id\}\/(?!restore)/.test(path)) all.push(furnishProjects);
  if (/\/transfer$/.test(path) && method !== 'post') all.push(offerAll);
  if (path.startsWith('/v1/auth/')) all.push(furnishAccounts);
  if (path.startsWith('/v1/admin/')) all.push(furnishAdministration);
  if (path.startsWith('/v1/templates')) all.push(furnishTemplates);
  if (path.includes('/webhooks')) all.push(furnishWebhooks);
  if (path.includes('/collaboration/')) all.push(furnishSessions);
  return all;
}

/** What is furnished and still unchanged. */
let present: Furnish[] = [];

async function furnishFor(operation: Operation): Promise<void> {
  const wanted = furnishersOf(operation);
  const isPresent = wanted.length === present.length && wanted.every((one, index) => one === present[index]);
  if (!isPresent) for (const make of wanted) await make();
  present = isRead(operation) ? wanted : [];
}

const guessed =
  /^\/v1\/(auth\/(sign-in|verify-email|password|password\/reset|delete-account|second-factor.*)|projects\/.*\/(purge|compare|merges|merge-requests|suggestions\/apply|checks|checks\/.*\/rerun)|collaboration\/.*\/preview|admin\/(projects\/.*|users\/.*\/(reset-link|second-factor\/remove)))$/;

describe('a random request made from the OpenAPI document gets a documented answer and never a 5xx:', () => {
  test.each(operations.map((operation) => [`${operation.method.toUpperCase()} ${operation.path}`, operation] as const))(
    '%s',
    async (_name, operation) => {
      await furnishFor(operation);
      const requests = requestsOf(operation, schemas);
      let isAccepted = false;
      async function attempt(generated: GeneratedRequest): Promise<void> {
        if (operation.path.startsWith('/v1/auth/') || guessed.test(operation.path)) await forgetAttempts();
        const answer = await send(operation, generated);
        isAccepted ||= answer.status < 300;
        checkAnswer(operation, generated, answer);
        remember(answer);
      }
      await fc.assert(fc.asyncProperty(requests, attempt), { seed: fuzzSeed, numRuns });
      // Requests that are all refused would prove little. But random input never hits a password, a code, a link's
      // token, a name, something deleted, a comment's id, or two branch names.
      if (guessed.test(operation.path)) return;
      for (let more = 1; !isAccepted && more <= byNight(200, 40); more++) {
        // A property begins with extreme values, which are refused; a sample does not.
        for (const generated of fc.sample(requests, { seed: fuzzSeed + more, numRuns: 10 })) await attempt(generated);
      }
      expect(isAccepted).toBe(true);
    },
    timeout,
  );
});

test("no request changed another user's project", async () => {
  expect(await readProject(service, stranger, theirs)).toMatchObject({
    name: 'Sample',
    status: 'active',
    owner: { id: stranger.id },
    collaborators: [],
  });
});
