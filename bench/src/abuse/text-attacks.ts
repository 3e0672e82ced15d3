import { type Attack, type Attacker, ask, must, newProject, repeat, untilOver } from './attacker.ts';
import { deploy, ended, projectWithFile } from './build-attacks.ts';
import { many } from './repository.ts';

/** Texts, patterns and names that take long to search, match, merge or look up. */

/** How long another account waits for a build by the attacked worker. */
async function othersBuild(other: Attacker, project: string, until: AbortSignal): Promise<string> {
  const begun = performance.now();
  const got = await ended(other, await deploy(other, project, 'true'), until);
  return `another account's build: ${got} after ${((performance.now() - begun) / 1000).toFixed(1)} s`;
}

const patterns: Attack = {
  name: 'S1 100 webhooks of 50 patterns, and a commit of 300 files',
  needsSandbox: true,
  async prepare({ attacker, other }) {
    const project = await newProject(attacker);
    const others = await projectWithFile(other);
    const paths = many(50, (index) => `/*${'a'.repeat(200)}*${'a'.repeat(200)}*b${index}*`);
    let webhooks = 0;
    for (let count = 0; count < 100; count++) {
      const wanted = { url: 'https://example.com/', events: ['file.created'], project_id: project, filters: { paths } };
      const { status } = await ask(attacker, ['POST', '/webhooks', wanted]);
      if (status === 201) webhooks++;
    }
    return async (until) => {
      const changes = many(300, (index) => `/${'a'.repeat(240)}/${'a'.repeat(240)}${index}`);
      const commit = { changes: changes.map((path) => ({ action: 'create', path, content: 'x' })), message: 'x' };
      const { status } = await ask(attacker, ['POST', `/projects/${project}/commits`, commit]);
      const got = await othersBuild(other, others, until);
      await untilOver(until);
      return `${webhooks} webhooks, commit ${status}; ${got}`;
    };
  },
};

const edits: Attack = {
  name: 'S2 edit_file with a text that nearly stands everywhere',
  async prepare({ attacker }) {
    const project = await newProject(attacker);
    const content = 'a'.repeat(1_000_000);
    await must(attacker, ['PUT', `/projects/${project}/files`, { path: '/a.txt', content }]);
    const old_text = `${'a'.repeat(100_000)}b${'a'.repeat(100_000)}`;
    const args = { project_id: project, path: '/a.txt', old_text, new_text: 'c' };
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'edit_file', arguments: args },
    });
    const headers = {
      authorization: `Bearer ${attacker.key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    // A process loads the protocol with its first message, which is no part of the attack.
    const hello = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
    const greet = () => fetch(`${attacker.url}/mcp`, { method: 'POST', headers, body: hello });
    for (let round = 0; round < 3; round++)
      await Promise.all(Array.from({ length: 12 }, async () => (await greet()).text()));
    return (until) =>
      repeat(until, async () => {
        const answer = await fetch(`${attacker.url}/mcp`, { method: 'POST', headers, body, signal: until });
        await answer.arrayBuffer();
        return answer.status;
      });
  },
};

const quotes: Attack = {
  name: 'S3 comments on long lines that are gone',
  async prepare({ attacker }) {
    const project = await newProject(attacker);
    const half = 'a'.repeat(5_000);
    const write = (content: string) =>
      must(attacker, ['PUT', `/projects/${project}/files`, { path: '/a.txt', content }]);
    await write(`${half}b${half}\n`);
    for (let count = 0; count < 30; count++) {
      const comment = {
        file_path: '/a.txt',
        position: { line: 1, column: 1 },
        end: { line: 1, column: 10_002 },
        content: 'x',
      };
      await must(attacker, ['POST', `/projects/${project}/comments`, comment]);
    }
    const removed = { changes: [{ action: 'delete', path: '/a.txt' }], message: 'x' };
    await must(attacker, ['POST', `/projects/${project}/commits`, removed]);
    await write('a'.repeat(1_000_000));
    return (until) =>
      repeat(until, async () => (await ask(attacker, ['GET', `/projects/${project}/comments`], until)).status);
  },
};

const lookUps: Attack = {
  name: 'S9 checks of domains at a silent name server',
  async prepare({ attacker, other }) {
    const project = await newProject(attacker);
    const others = await newProject(other);
    const add = (who: Attacker, at: string, domain: string) =>
      ask<{ id: string }>(who, ['POST', `/projects/${at}/domains`, { domain }]);
    const names = many(20, (index) => `www.d${index}.silent.example`);
    const added: string[] = [];
    for (const name of names) if ((await add(attacker, project, name)).status === 201) added.push(name);
    await add(other, others, 'www.other.example');
    return async (until) => {
      const check = (who: Attacker, at: string, name: string) =>
        ask(who, ['POST', `/projects/${at}/domains/${name}/verify`], until).catch(() => null);
      const checks = added.flatMap((name) => [1, 2, 3].map(() => check(attacker, project, name)));
      const begun = performance.now();
      const answer = await check(other, others, 'www.other.example');
      const seconds = ((performance.now() - begun) / 1000).toFixed(1);
      await untilOver(until);
      await Promise.all(checks);
      return `${checks.length} checks; another account's: ${answer?.status ?? 'no answer'} after ${seconds} s`;
    };
  },
};

export const textAttacks: Attack[] = [patterns, edits, quotes, lookUps];
