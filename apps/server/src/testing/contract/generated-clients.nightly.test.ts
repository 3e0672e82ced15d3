import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call } from '../clients/http-client.ts';
import { describeUnless } from '../parts/programs.ts';
import { clientGenerators, runPython } from '../samples/generators.ts';
import { type TestUser, useTestService } from '../service/test-service.ts';

const service = useTestService({ role: 'api' });
const generators = await clientGenerators();
const directory = mkdtempSync(join(tmpdir(), 'bottega-clients-'));
const document = join(directory, 'openapi.json');
afterAll(() => rmSync(directory, { recursive: true }));

let user: TestUser;
beforeAll(async () => {
  user = await service.createUser();
  writeFileSync(document, (await call('GET', `${service.url}/openapi.json`)).text);
});

/** Imports every module: if two parts share a name, one module fails to import. */
const beginning = `
import importlib, json, pkgutil, sys
import client
modules = [module.name for module in pkgutil.walk_packages(client.__path__, "client.")]
for name in modules: importlib.import_module(name)
url, key = sys.argv[1:]
`;

const programs: Record<string, string> = {
  'openapi-python-client': `${beginning}
from client.api.below_apiwebhooks import get_api_webhooks_webhook_id, get_api_webhooks_webhook_id_stats
from client.api.below_apiwebhooks import post_api_webhooks, put_api_webhooks_webhook_id
from client.api.projects import get_projects_project_id, patch_projects_project_id, post_projects
from client.models import PatchProjectsProjectIdBody, PostApiWebhooksBody, PostProjectsBody, PutApiWebhooksWebhookIdBody
api = client.AuthenticatedClient(base_url=url, token=key, raise_on_unexpected_status=True)
made = post_projects.sync(client=api, body=PostProjectsBody(name="Generated"))
patch_projects_project_id.sync(made.id, client=api, body=PatchProjectsProjectIdBody(description="Changed"))
body = PostApiWebhooksBody(url="https://example.com/in", events=["*"], name="Generated")
hook = post_api_webhooks.sync(client=api, body=body).webhook_id
put_api_webhooks_webhook_id.sync(hook, client=api, body=PutApiWebhooksWebhookIdBody(name="Changed"))
project = get_projects_project_id.sync(made.id, client=api).to_dict()
webhook = get_api_webhooks_webhook_id.sync(hook, client=api).to_dict()
stats = get_api_webhooks_webhook_id_stats.sync(hook, client=api).to_dict()
print(json.dumps([len(modules), project, webhook, stats]))
`,
  'openapi-generator': `${beginning}
api = client.ApiClient(client.Configuration(host=url, access_token=key))
projects, webhooks = client.ProjectsApi(api), client.BelowApiWebhooksApi(api)
made = projects.post_projects(client.PostProjectsRequest(name="Generated"))
projects.patch_projects_project_id(made.id, client.PatchProjectsProjectIdRequest(description="Changed"))
body = client.PostApiWebhooksRequest(url="https://example.com/in", events=["*"], name="Generated")
hook = webhooks.post_api_webhooks(body).webhook_id
webhooks.put_api_webhooks_webhook_id(hook, client.PutApiWebhooksWebhookIdRequest(name="Changed"))
project = json.loads(projects.get_projects_project_id(made.id).to_json())
webhook = json.loads(webhooks.get_api_webhooks_webhook_id(hook).to_json())
stats = json.loads(webhooks.get_api_webhooks_webhook_id_stats(hook).to_json())
print(json.dumps([len(modules), project, webhook, stats]))
`,
};

type Answers = [modules: number, project: { id: string }, webhook: { webhook_id: string }, stats: object];

/** Makes times comparable, however a language writes them. */
function withPlainTimes<Value>(value: Value): Value {
  const times = /"(\d{4}-\d\d-\d\dT[^"]+)"/g;
  return JSON.parse(JSON.stringify(value).replaceAll(times, (_all, time) => JSON.stringify(new Date(time)))) as Value;
}

for (const { name, missing, generate } of generators) {
  describeUnless(missing, `a client that ${name} generates from the document`, () => {
    test('reads and writes a project, a webhook and its figures', { timeout: 900_000 }, async () => {
      const into = mkdtempSync(join(directory, `${name}-`));
      await generate(document, into);
      writeFileSync(join(into, 'try.py'), programs[name] ?? '');
      const { stdout } = await runPython(['try.py', service.url, user.key], into);
      const [modules, project, webhook, stats] = withPlainTimes(JSON.parse(stdout) as Answers);
      expect(modules).toBeGreaterThan(300);
      const ask = async (path: string) => (await call('GET', `${service.url}${path}`, { token: user.key })).body;
      expect(project).toEqual(await ask(`/v1/projects/${project.id}`));
      expect(project).toMatchObject({ name: 'Generated', description: 'Changed' });
      const address = `/api/webhooks/${webhook.webhook_id}`;
      expect(webhook).toEqual(await ask(address));
      expect(webhook).toMatchObject({ name: 'Changed', stats: { total_deliveries: 0 } });
      const moments = { start_date: expect.any(String), end_date: expect.any(String) };
      expect(stats).toEqual({ ...((await ask(`${address}/stats`)) as object), ...moments });
    });
  });
}
