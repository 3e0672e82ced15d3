import { request } from 'node:http';
import type { Bottega } from '@bottega/sdk';
import { expect, test } from 'vitest';
import { isNightly } from '../../apps/server/src/testing/runner/thoroughness.ts';
import { administrator, installation, newPerson, type Person, setRecord, signIn } from '../people.ts';
import { commit, deployed, projectWith } from '../projects.ts';

const rounds = isNightly ? 200 : 20;
/** Number of connections to every node after each change. */
const readers = 4;

/** Whether a reader sees the state after the change, over a new connection to this node. */
type Sees = (node: string) => Promise<boolean>;
type Remembered = {
  what: string;
  /** The worker ends a deployment, and may be on another machine than the first node. */
  isByWorker?: true;
  /** Makes a change and, after its answer, returns how to see it. */
  begin(): Promise<(round: number) => Promise<Sees>>;
};

/** The machine that made a change never answers from the old state. Other machines may for this long. */
function maxMs(node: string, isByWorker: boolean): number {
  const { url, nodes, hasRedis } = installation();
  const isSameMachine = nodes.length === 1 || (node === url && !isByWorker);
  return isSameMachine ? 0 : hasRedis ? 100 : 1_000;
}

test.each(remembered())('$what: whoever asks after the answer sees it', async ({ what, begin, isByWorker = false }) => {
  const change = await begin();
  const byNode = installation().nodes.map((node) => ({ node, late: 0, worstMs: 0 }));
  for (let round = 0; round < rounds; round++) {
    const sees = await change(round);
    const answered = performance.now();
    const reads = byNode.flatMap((of) => Array.from({ length: readers }, () => readUntilSeen(of, sees, answered)));
    await Promise.all(reads);
  }
  for (const { node, late, worstMs } of byNode) {
    const asked = `${late} of ${rounds * readers} late, ${worstMs.toFixed(1)} ms`;
    process.stdout.write(`${what}: ${byNode.length > 1 ? `node ${node}: ` : ''}${asked}\n`);
  }
  for (const { node, late, worstMs } of byNode) {
    const max = maxMs(node, isByWorker);
    if (max === 0) expect(late).toBe(0);
    else expect(worstMs).toBeLessThanOrEqual(max);
  }
});

/** Delay is the time from the answer to the change until the read begins. */
async function readUntilSeen(of: { node: string; late: number; worstMs: number }, sees: Sees, answered: number) {
  for (let times = 0; ; times++) {
    const begun = performance.now();
    if (await sees(of.node)) return;
    if (times === 0) of.late += 1;
    of.worstMs = Math.max(of.worstMs, begun - answered);
  }
}

function remembered(): Remembered[] {
  return [
    {
      what: 'a key that is revoked',
      async begin() {
        const person = await newPerson();
        return async (round) => {
          const { id, key } = await person.client.apiKeys.create({ name: `Key ${round}` });
          await warm('/v1/user', key);
          await person.client.apiKeys.revoke(id);
          return async (node) => (await ask(node, '/v1/user', key)).status === 401;
        };
      },
    },
    {
      what: 'an account that is suspended, and no longer',
      async begin() {
        const person = await newPerson();
        return async (round) => {
          const suspended = round % 2 === 0;
          await warm('/v1/user', person.key);
          await administrator().admin.updateUser(person.id, { suspended });
          return async (node) => ((await ask(node, '/v1/user', person.key)).status === 200) !== suspended;
        };
      },
    },
    {
      what: 'a plan and its limits',
      async begin() {
        const person = await newPerson();
        return async (round) => {
          const plan = round % 2 === 0 ? 'free' : 'enterprise';
          await warm('/v1/user', person.key);
          await administrator().admin.updateUser(person.id, { plan });
          return async (node) => (await ask(node, '/v1/user', person.key)).text.includes(`"${plan}"`);
        };
      },
    },
    {
      what: 'a session that was signed out elsewhere',
      async begin() {
        const person = await newPerson();
        const here = await signIn(person);
        return async () => {
          const there = await signIn(person);
          for (const node of installation().nodes) await there.status('/v1/user', node);
          await here.ask('DELETE', '/v1/auth/sessions');
          return async (node) => (await there.status('/v1/user', node)) === 401;
        };
      },
    },
    ...ofProjects(),
    ...ofDeployments(),
  ];
}

function ofProjects(): Remembered[] {
  const changed = (
    what: string,
    change: (owner: Person, id: string, round: number) => Promise<string>,
  ): Remembered => ({
    what,
    async begin() {
      const owner = await newPerson();
      const id = await projectWith(owner.client, { '/a.txt': 'x' });
      return async (round) => {
        const text = await change(owner, id, round);
        return async (node) => (await ask(node, `/v1/projects/${id}`, owner.key)).text.includes(text);
      };
    },
  });
  return [
    changed('a setting of a project', async ({ client }, id, round) => {
      await client.projects.update(id, { settings: { auto_save: round % 2 === 0 } });
      return `"auto_save":${round % 2 === 0}`;
    }),
    {
      what: 'the visibility of a project',
      async begin() {
        const [owner, stranger] = [await newPerson(), await newPerson()];
        const id = await projectWith(owner.client, { '/a.txt': 'x' });
        return async (round) => {
          const isPublic = round % 2 === 0;
          await owner.client.projects.update(id, { settings: { public: isPublic } });
          return async (node) => ((await ask(node, `/v1/projects/${id}`, stranger.key)).status === 200) === isPublic;
        };
      },
    },
    {
      what: 'a collaborator who is removed',
      async begin() {
        const [owner, other] = [await newPerson(), await newPerson()];
        const id = await projectWith(owner.client, { '/a.txt': 'x' });
        return async () => {
          const { id: invited } = await owner.client.collaborators.invite(id, { email: other.email, role: 'editor' });
          await other.client.collaborators.accept(id, invited);
          await owner.client.collaborators.remove(id, invited);
          return async (node) => (await ask(node, `/v1/projects/${id}`, other.key)).status === 404;
        };
      },
    },
    {
      what: 'a variable',
      async begin() {
        const { client, key } = await newPerson();
        const id = await projectWith(client, { '/a.txt': 'x' });
        return async (round) => {
          await client.variables.set(id, 'GREETING', { value: `value ${round}.`, kind: 'plain' });
          return async (node) =>
            (await ask(node, `/v1/projects/${id}/variables`, key)).text.includes(`value ${round}.`);
        };
      },
    },
    {
      what: 'a template',
      async begin() {
        const { client, key } = await newPerson();
        const project_id = await projectWith(client, { '/a.txt': 'x' });
        const { id } = await client.templates.publish({ project_id, name: 'Ours' });
        return async (round) => {
          await client.templates.update(id, { name: `Ours, ${round}th` });
          return async (node) => (await ask(node, `/v1/templates/${id}`, key)).text.includes(`Ours, ${round}th`);
        };
      },
    },
    {
      what: 'a share link whose file is gone',
      async begin() {
        const { client } = await newPerson();
        const id = await projectWith(client, { '/a.txt': 'x' });
        return async (round) => {
          const file = await client.files.write(id, { path: `/${round}.txt`, content: 'shared' });
          const { url } = await client.files.share(id, file.id);
          await client.files.delete(id, file.id);
          return async (node) => (await send(new URL(new URL(url).pathname, node), {})).status === 404;
        };
      },
    },
    {
      what: 'a webhook',
      async begin() {
        const { client, key } = await newPerson();
        const hook = await client.webhooks.create({ url: 'http://127.0.0.1:9/', events: ['file.created'] });
        return async (round) => {
          await client.webhooks.update(hook.webhook_id, { active: round % 2 === 0 });
          return async (node) =>
            (await ask(node, `/v1/webhooks/${hook.webhook_id}`, key)).text.includes(`"active":${round % 2 === 0}`);
        };
      },
    },
  ];
}

function ofDeployments(): Remembered[] {
  return [
    {
      what: 'the live deployment after a promote or rollback',
      async begin() {
        const { client } = await newPerson();
        const id = await projectWith(client, { '/index.html': 'version 0' });
        const versions = [await deployed(client, id)];
        await commit(client, id, { '/index.html': 'version 1' });
        versions.push(await deployed(client, id));
        const live = await liveUrl(client, id);
        return async (round) => {
          await client.deployments.rollback(id, versions[round % 2]?.id ?? '');
          return async (node) => (await visitAt(node, live)).text === `version ${round % 2}`;
        };
      },
    },
    {
      what: 'the stable address of a preview',
      isByWorker: true,
      async begin() {
        const { client } = await newPerson();
        const id = await projectWith(client, { '/index.html': 'version start' });
        return async (round) => {
          await commit(client, id, { '/index.html': `version ${round}.` });
          const preview = await deployed(client, id, { environment: 'preview' });
          const stable = preview.branch_url ?? preview.url ?? '';
          return async (node) => (await visitAt(node, stable)).text === `version ${round}.`;
        };
      },
    },
    {
      what: 'a domain that begins to redirect, and no longer',
      async begin() {
        const { client } = await newPerson();
        const id = await projectWith(client, { '/index.html': 'here' });
        await deployed(client, id);
        const [main, other] = [await activeDomain(client, id, 'www'), await activeDomain(client, id, 'shop')];
        return async (round) => {
          const redirect_to = round % 2 === 0 ? main : null;
          await client.domains.update(id, other, { redirect_to });
          return async (node) => (await visitAt(node, `http://${other}/`)).status === (redirect_to ? 308 : 200);
        };
      },
    },
    {
      what: 'a project that is deleted, and restored',
      async begin() {
        const { client } = await newPerson();
        const id = await projectWith(client, { '/index.html': 'here' });
        await deployed(client, id);
        const live = await liveUrl(client, id);
        return async (round) => {
          await warmAt(live);
          if (round % 2 === 0) await client.projects.delete(id);
          else await client.projects.restore(id);
          return async (node) => (await visitAt(node, live)).status === (round % 2 === 0 ? 404 : 200);
        };
      },
    },
  ];
}

/** A domain that is proven and resolves to this service. */
async function activeDomain(client: Bottega, id: string, label: string): Promise<string> {
  const name = `${label}.${id.replace('_', '-')}.test`;
  const { records } = await client.domains.add(id, { domain: name });
  for (const { name: of, type, value } of records) if (type !== 'CNAME') await setRecord({ name: of, type, value });
  expect(await client.domains.verify(id, name)).toMatchObject({ state: 'active' });
  return name;
}

const liveUrl = async (client: Bottega, id: string): Promise<string> => (await client.projects.get(id)).live_url ?? '';

/** Makes every process cache it before it changes. */
async function warm(path: string, key: string): Promise<void> {
  await Promise.all(
    installation().nodes.flatMap((node) => Array.from({ length: readers }, () => ask(node, path, key))),
  );
}

async function warmAt(url: string): Promise<void> {
  await Promise.all(installation().nodes.flatMap((node) => Array.from({ length: readers }, () => visitAt(node, url))));
}

const ask = (node: string, path: string, key: string): Promise<Answer> =>
  send(new URL(path, node), { authorization: `Bearer ${key}` });

/** Uses this node's port for deployments, which is the next one. */
function visitAt(node: string, address: string): Promise<Answer> {
  const { host, pathname } = new URL(address);
  const { port } = new URL(node);
  return send(new URL(pathname, `http://127.0.0.1:${Number(port) + 1}`), { host });
}

type Answer = { status: number; text: string };

/** Uses a new connection: processes that share a port get connections in turn. */
function send({ port, pathname }: URL, headers: Record<string, string>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path: pathname, agent: false, headers });
    asked.on('response', (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    asked.on('error', reject).end();
  });
}
