import { expect, test } from 'vitest';
import { buildSettings, setVariable } from '../testing/samples/sample-deployments.ts';
import { inProject, writeFile } from '../testing/samples/sample-files.ts';
import { useTestService } from '../testing/service/test-service.ts';
import { annotationsOf, checked, checkText, projectWithChecks } from './checks.fixture.ts';

// The sandbox that is the default, where there is one: reports are read through it.
const service = useTestService({ settings: buildSettings });

test('GitHub workflow commands in the output become annotations on files of the commit, masked and bounded', async () => {
  const say = (text: string) => `echo '${text}'`;
  const place = await projectWithChecks(
    service,
    {
      test: [
        say('::error file=src/a.ts,line=2,title=Bad::it says a-secret-value%0Atwice'),
        `${say('::warning file=./src/a.ts::w')} >&2`,
        say('::notice file=/workspace/src/a.ts,line=3,endLine=9::n'),
        say('::error file=src/none.ts::not a file'),
        say('::error file=../../etc/passwd::not a file'),
        'exit 1',
      ].join('\n'),
    },
    { '/src/a.ts': 'x\n' },
  );
  await setVariable(place, 'TOKEN', { value: 'a-secret-value', kind: 'secret' });
  const { test: run } = await checked(place);
  expect(run).toMatchObject({ conclusion: 'failure', output: { annotations_count: 3 } });
  const said = await annotationsOf(place, run?.id ?? '');
  expect(said.toSorted((one, other) => one.message.localeCompare(other.message))).toEqual([
    { ...at(2, 2), annotation_level: 'failure', title: 'Bad', message: 'it says ***\ntwice' },
    { ...at(3, 9), annotation_level: 'notice', title: '', message: 'n' },
    { ...at(1, 1), annotation_level: 'warning', title: '', message: 'w' },
  ]);
});

const at = (start_line: number, end_line: number) => ({ path: '/src/a.ts', start_line, end_line });

test('a check has at most 200 annotations, however many it prints', async () => {
  const run = "i=0; while [ $i -lt 300 ]; do i=$((i+1)); echo '::error file=bottega.json::e'; done";
  const { test: ended } = await checked(await projectWithChecks(service, { test: run }));
  expect(ended?.output.annotations_count).toBe(200);
});

test('failures in JUnit files become annotations, and a link that leads out of the files reveals nothing', async () => {
  const report =
    '<testsuite><testcase name="adds" file="src/a.ts" line="4"><failure message="1 is not 2"/></testcase></testsuite>';
  const place = await projectWithChecks(
    service,
    {
      test: {
        run: `mkdir out; echo '${report}' > out/junit.xml; ln -s /etc/hostname out/link.xml; exit 1`,
        reports: ['out/junit.xml', 'out/link.xml', "none'; echo.xml"],
      },
    },
    { '/src/a.ts': 'x\n' },
  );
  const { test: run } = await checked(place);
  expect(await annotationsOf(place, run?.id ?? '')).toEqual([
    { ...at(4, 4), annotation_level: 'failure', title: 'adds', message: '1 is not 2' },
  ]);
  const text = await checkText(place, run?.id ?? '');
  expect(text).toContain("The report none'; echo.xml does not exist");
  expect(run?.conclusion).toBe('failure');
});

test('a cache is packed and unpacked in the sandbox, with links and modes', async () => {
  const run = `if [ -d kept ]; then readlink kept/link; ./kept/tool; else
    mkdir -p kept; ln -s ../a.txt kept/link; printf '#!/bin/sh\\necho runs' > kept/tool; chmod +x kept/tool; fi`;
  const place = await projectWithChecks(service, { test: { run, cache: ['kept'] } }, { '/a.txt': 'a\n' });
  const first = await checked(place);
  expect(first.test?.conclusion, await checkText(place, first.test?.id ?? '')).toBe('success');
  await writeFile(place, '/b.txt');
  const { test: second } = await checked(place);
  const text = await checkText(place, second?.id ?? '');
  expect(text).toContain('Restored the cache of main: kept\n');
  expect(text).toContain('../a.txt\nruns\n');
});

test('everybody who can read the project can read annotations, but only members can read the log', async () => {
  const place = await projectWithChecks(service, { test: "echo '::notice file=bottega.json::seen'" });
  const { test: run } = await checked(place);
  const shown = await inProject(place, 'PATCH', '', { json: { settings: { public: true } } });
  expect(shown.status, shown.text).toBe(200);
  const stranger = { ...place, user: await service.createUser() };
  expect(await annotationsOf(stranger, run?.id ?? '')).toHaveLength(1);
  expect((await inProject(stranger, 'GET', `/checks/${run?.id}`)).status).toBe(200);
  expect((await inProject(stranger, 'GET', `/checks/${run?.id}/logs`)).status).toBe(403);
  expect((await inProject(stranger, 'POST', `/checks/${run?.id}/rerun`)).status).toBe(403);
});
