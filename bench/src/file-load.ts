import type { Target } from './measure.ts';
import { send } from './send.ts';

/** A project with this number of files, a hundred to a directory, three levels deep as real ones are. */
export async function createProject(files: number, caller: { bottega: string; key: string }): Promise<string> {
  const { id } = await send<{ id: string }>(caller, 'POST', '/projects', { name: `${files} files` });
  for (let from = 0; from < files; from += 500) {
    const changes = Array.from({ length: Math.min(500, files - from) }, (_, index) => ({
      action: 'create',
      path: pathOf(from + index),
      content: `export const value = ${from + index};\n`.repeat(20),
    }));
    await send(caller, 'POST', `/projects/${id}/commits`, { changes });
  }
  return id;
}

export const pathOf = (number: number): string =>
  `/src/part${Math.floor(number / 1000)}/group${Math.floor(number / 100)}/file${number}.ts`;

/** Every request has different content; otherwise the second would change nothing. */
export function put(bottega: string, key: string, projects: string[], files: number, branch?: string): Target {
  let count = 0;
  return {
    url: bottega,
    requests: () => ({
      method: 'PUT',
      path: `/v1/projects/${projects[count % projects.length]}/files`,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        path: pathOf(count % files),
        content: `export const written = ${count++}; // ${process.hrtime.bigint()}\n`.repeat(20),
        branch,
      }),
    }),
  };
}
