import type { WorkspaceProblemList } from '@bottega/contract';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { describeUnless, hasPrograms } from '../testing/parts/programs.ts';
import { waitFor } from '../testing/parts/wait-for.ts';
import { projectOf } from '../testing/samples/sample-deployments.ts';
import { inProject } from '../testing/samples/sample-files.ts';
import { openLanguage, uriOf, whyNoLanguages } from '../testing/samples/sample-languages.ts';
import { addCollaborator } from '../testing/samples/sample-projects.ts';
import {
  type InWorkspace,
  inWorkspace,
  newWorkspace,
  run,
  workspacePrograms,
  workspaceSettings,
} from '../testing/samples/sample-workspaces.ts';
import { useTestService } from '../testing/service/test-service.ts';

const missing = hasPrograms(workspacePrograms) ? await whyNoLanguages() : 'the programs of a sandbox are needed';
const files = {
  '/tsconfig.json': '{ "compilerOptions": { "strict": true, "module": "nodenext" }, "include": ["src"] }\n',
  '/src/greet.ts': 'export function greet(name: string): string {\n  return name;\n}\n',
  '/src/main.ts': 'import { greet } from "./greet.js";\nconst count: number = greet("a");\nconsole.log(count);\n',
};
const main = '/src/main.ts';
const initialize = { processId: null, rootUri: uriOf(''), capabilities: {} };

describeUnless(missing, 'language servers of a workspace', () => {
  const service = useTestService({ settings: workspaceSettings });
  async function begin(content: Record<string, string> = files): Promise<InWorkspace> {
    const place = await newWorkspace(await projectOf(service, content));
    expect((await inWorkspace(place, 'POST', '/start')).status).toBe(200);
    return place;
  }
  const at = (line: number, character: number, file = main) => ({
    textDocument: { uri: uriOf(file) },
    position: { line, character },
  });
  const diagnostics = (place: InWorkspace, query = '') =>
    inWorkspace<WorkspaceProblemList>(place, 'GET', `/diagnostics${query}`);

  test('complete unsaved text, find definitions in other files, and rename in all files', async () => {
    const client = await openLanguage(await begin());
    const first = await client.request('initialize', initialize);
    expect(first.result.capabilities.completionProvider).toBeTruthy();
    const unsaved = `${files[main]}const person = { firstName: "a" };\nperson.`;
    client.open(main, unsaved);
    const completion = await client.request('textDocument/completion', at(4, 7));
    expect((completion.result.items as { label: string }[]).map(({ label }) => label)).toContain('firstName');
    const definition = await client.request('textDocument/definition', at(1, 23));
    expect(definition.result[0]).toMatchObject({ uri: uriOf('/src/greet.ts'), range: { start: { line: 0 } } });
    const rename = await client.request('textDocument/rename', { ...at(1, 23), newName: 'hello' });
    expect(Object.keys(rename.result.changes).sort()).toEqual([uriOf('/src/greet.ts'), uriOf(main)]);
    const hover = await client.request('textDocument/hover', at(1, 23));
    expect(JSON.stringify(hover.result)).toContain('greet(name: string): string');
    client.ws.close();
  });

  test('answer two people with different texts of a file, each for their own text', async () => {
    const place = await begin();
    const [one, other] = [await openLanguage(place), await openLanguage(place)];
    await Promise.all([one, other].map((client) => client.request('initialize', initialize)));
    one.open(main, 'const alpha = { onlyInOne: 1 };\nalpha.');
    other.open(main, 'const alpha = { onlyInOther: 1 };\nalpha.');
    for (let round = 0; round < 5; round++) {
      const [first, second] = await Promise.all(
        [one, other].map((c) => c.request('textDocument/completion', at(1, 6))),
      );
      expect(JSON.stringify(first?.result)).toContain('onlyInOne');
      expect(JSON.stringify(second?.result)).toContain('onlyInOther');
    }
    one.change(main, 'const a: number = "one";');
    other.change(main, 'const a: boolean = "other";');
    await one.untilProblem(main, "to type 'number'");
    await other.untilProblem(main, "to type 'boolean'");
    one.ws.close();
    other.ws.close();
  });

  test('report problems after changes to texts, to other files on the disk, and to installed packages', async () => {
    const place = await begin();
    const client = await openLanguage(place);
    await client.request('initialize', initialize);
    client.open(main, files[main]);
    await client.untilProblem(main, "Type 'string' is not assignable to type 'number'");
    await run(place, "sed -i 's/: string {/: number {/; s/return name/return 1/' src/greet.ts");
    await waitFor('no problems', () => client.problemsOf(main)?.length === 0);
    client.change(main, 'import { n } from "dep";\nexport const text: string = n;\n');
    await client.untilProblem(main, "Cannot find module 'dep'");
    const package_ = '{\\"name\\": \\"dep\\", \\"types\\": \\"i.d.ts\\"}';
    await run(place, 'mkdir -p node_modules/dep && echo "export const n: number;" > node_modules/dep/i.d.ts');
    await run(place, `echo "${package_}" > node_modules/dep/package.json`);
    await client.untilProblem(main, "Type 'number' is not assignable to type 'string'");
    client.ws.close();
  });

  test('answer a request for the problems of one file, and of all files', async () => {
    const place = await begin({ ...files, '/src/other.ts': 'export const wrong: boolean = 1;\n' });
    const one = await diagnostics(place, '?path=src/main.ts');
    expect(one.status, one.text).toBe(200);
    expect(one.body).toEqual({
      data: [
        {
          path: main,
          line: 2,
          column: 7,
          end_line: 2,
          end_column: 12,
          severity: 'error',
          message: "Type 'string' is not assignable to type 'number'.",
          code: '2322',
          source: 'ts',
        },
      ],
      truncated: false,
    });
    const all = await diagnostics(place);
    expect(all.body.data.map(({ path }) => path)).toEqual([main, '/src/other.ts']);
    const content = 'export const wrong: boolean = true;\n';
    expect((await inProject(place, 'PUT', '/files', { json: { path: '/src/other.ts', content } })).status).toBe(200);
    expect((await diagnostics(place)).body.data.map(({ path }) => path)).toEqual([main]);
    expect((await diagnostics(place, '?path=src/nowhere.ts')).status).toBe(404);
    expect((await diagnostics(place, '?path=README.md')).status).toBe(400);
    expect((await diagnostics(place, '?path=../x.ts')).status).toBe(400);
    expect((await diagnostics(place, '?language=cobol')).status).toBe(400);
  });

  test('understand Python', async () => {
    const app = 'import os\nfrom lib import f\nx: int = f("a")\nos.pa';
    const place = await begin({
      '/lib.py': 'def f(a: str) -> str:\n    return a\n',
      '/app.py': 'from lib import f\nx: int = f("a")\n',
    });
    const client = await openLanguage(place, 'python');
    await client.request('initialize', initialize);
    client.open('/app.py', app);
    await client.untilProblem('/app.py', '"str" is not assignable');
    const completion = await client.request('textDocument/completion', at(3, 5, '/app.py'));
    expect((completion.result.items as { label: string }[]).map(({ label }) => label)).toContain('path');
    const definition = await client.request('textDocument/definition', at(2, 9, '/app.py'));
    expect(definition.result[0].uri).toBe(uriOf('/lib.py'));
    client.ws.close();
    const { body } = await diagnostics(place, '?language=python');
    expect(body.data).toMatchObject([{ path: '/app.py', line: 2, code: 'reportAssignmentType' }]);
  });

  test('start again after a crash, but not after three, and say why', async () => {
    const place = await begin();
    const client = await openLanguage(place);
    await client.request('initialize', initialize);
    client.open(main, files[main]);
    await client.untilProblem(main, 'not assignable');
    const kill = 'for p in /proc/[0-9]*; do grep -qs lsp $p/cmdline && kill -9 $(basename $p); done; true';
    const states = () =>
      client.notes.filter(({ method }) => method === '$/status').map(({ params }) => params.state as string);
    for (const ended of [1, 2]) {
      await run(place, kill);
      await waitFor('it runs again', () => states().filter((one) => one === 'ready').length > ended);
      expect((await client.request('textDocument/hover', at(1, 23))).result).toBeTruthy();
    }
    await run(place, kill);
    await waitFor('it has failed', () => states().at(-1) === 'failed');
    const refused = await client.request('textDocument/hover', at(1, 23));
    expect(refused.error?.message).toContain('The language server ended with SIGKILL');
    const answer = await diagnostics(place);
    expect(answer.status).toBe(503);
    expect(answer.text).toContain('The language server ended');
    client.ws.close();
  });

  test('disconnect a person who loses access within moments, and refuse strangers and unknown languages', async () => {
    const place = await begin();
    const viewer = await service.createUser();
    const collaboration = await addCollaborator(service, place.projectId, viewer);
    const theirs = await openLanguage(place, 'typescript', viewer.key);
    expect((await theirs.request('initialize', initialize)).result).toBeTruthy();
    expect((await inProject(place, 'DELETE', `/collaborators/${collaboration}`)).status).toBe(204);
    expect((await theirs.closed).code).toBe(4003);
    await expect(openLanguage(place, 'typescript', viewer.key)).rejects.toThrow('404');
    await expect(openLanguage(place, 'cobol')).rejects.toThrow('404');
    await inWorkspace(place, 'POST', '/sleep');
    await expect(openLanguage(place)).rejects.toThrow('503');
    expect((await inWorkspace(place, 'GET', '/diagnostics')).status).toBe(503);
  });

  test('refuse messages that are too large, invalid or unknown, and go on for others', async () => {
    const place = await begin();
    const client = await openLanguage(place);
    await client.request('initialize', initialize);
    client.ws.send('{"jsonrpc": "2.0", "id": ');
    await waitFor('an answer', () => client.unasked.some(({ error }) => error?.code === -32_700));
    expect((await client.request('workspace/executeCommand', { command: 'x' })).error?.code).toBe(-32_601);
    const large = await openLanguage(place);
    large.ws.send('x'.repeat(4 * 2 ** 20 + 1));
    expect((await large.closed).code).toBe(1009);
    const binary = await openLanguage(place);
    binary.ws.send(Buffer.from('{}'), { binary: true });
    expect((await binary.closed).code).toBe(1003);
    const outside = await openLanguage(place);
    outside.notify('textDocument/didOpen', { textDocument: { uri: 'file:///etc/passwd', languageId: 'x', text: '' } });
    expect((await outside.closed).reason).toBe('Only files of the project can be opened');
    client.open(main, files[main]);
    expect((await client.request('textDocument/hover', at(1, 23))).result).toBeTruthy();
    expect(client.ws.readyState).toBe(WebSocket.OPEN);
    client.ws.close();
  });
});

describeUnless(
  hasPrograms(workspacePrograms) ? null : 'the programs of a sandbox are needed',
  'without servers',
  () => {
    const service = useTestService({ settings: { ...workspaceSettings, BOTTEGA_LANGUAGE_SERVERS: 'off' } });

    test('a workspace runs, and explains why there is no language server', async () => {
      const place = await newWorkspace(await projectOf(service, files));
      expect((await run(place, 'cat src/main.ts')).stdout).toBe(files[main]);
      const reason = 'The operator of this service has turned language servers off';
      const answer = await inWorkspace(place, 'GET', '/diagnostics');
      expect(answer.status).toBe(503);
      expect(answer.text).toContain(reason);
      const client = await openLanguage(place);
      expect((await client.request('initialize', initialize)).error?.message).toBe(reason);
      client.ws.close();
    });
  },
);
