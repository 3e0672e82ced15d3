import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type Attack, ask, must, newProject, repeat, untilOver } from './attacker.ts';

const preview: Attack = {
  name: 'H6 preview of a template with a long value',
  async prepare({ attacker }) {
    const project = await newProject(attacker);
    const changes = Array.from({ length: 150 }, (_, index) => ({
      action: 'create',
      path: `/f${index}.txt`,
      content: '{{long}}'.repeat(1000),
    }));
    await must(attacker, ['POST', `/projects/${project}/commits`, { changes, message: 'x' }]);
    const long = { name: 'long', type: 'string', max_length: 10_000, default: 'x'.repeat(10_000) };
    const wanted = { project_id: project, name: 'Grows', variables: [long] };
    const { preview_url } = await must<{ preview_url: string }>(attacker, ['POST', '/templates', wanted]);
    const open = async (signal: AbortSignal) => {
      const answer = await fetch(preview_url, { signal });
      await answer.arrayBuffer();
      return answer.status;
    };
    return (until) => repeat(until, () => open(until), 50);
  },
};

/** A repository that never arrives: a kilobyte a second. */
async function slowRepository() {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-advertisement' });
    // The beginning of one long packet, so that git waits for the rest of it.
    response.write('001e# service=git-upload-pack\n0000fff0');
    const timer = setInterval(() => response.write('x'.repeat(1024)), 1000);
    response.on('close', () => clearInterval(timer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/repository.git`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const imports: Attack = {
  name: 'M5 two imports of a kilobyte a second',
  async prepare({ attacker, other, mail }) {
    const slow = await slowRepository();
    const shared = await newProject(other);
    const hasArrived = () => mail.received.length > 0;
    return async (until) => {
      for (const name of ['one', 'two']) {
        await ask(attacker, ['POST', '/projects', { name, repository: { url: slow.url } }]);
      }
      await pause(1000);
      const begun = performance.now();
      const invited = await ask(other, ['POST', `/projects/${shared}/collaborators`, { email: 'someone@example.com' }]);
      while (!hasArrived() && !until.aborted) await pause(50);
      const seconds = ((performance.now() - begun) / 1000).toFixed(1);
      await untilOver(until);
      slow.close();
      return `another account's mail (${invited.status}): ${hasArrived() ? `sent after ${seconds} s` : 'still waits'}`;
    };
  },
};

export const otherAttacks: Attack[] = [preview, imports];
