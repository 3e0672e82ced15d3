import type { CheckRun } from '@bottega/contract';
import { expect, test } from 'vitest';
import { useDirectory } from '../repository/smart-http/git-client.fixture.ts';
import { blocksOf, inShell } from '../testing/parts/documented-page.ts';
import { describeWith } from '../testing/parts/programs.ts';
import { buildSettings } from '../testing/samples/sample-deployments.ts';
import { inProject, newPlace, writeFile } from '../testing/samples/sample-files.ts';
import { useTestService } from '../testing/service/test-service.ts';

describeWith(['git', 'curl', 'jq', 'bash'], 'docs/checks.md', () => {
  const service = useTestService({ settings: { ...buildSettings, BOTTEGA_BUILD_DRIVER: 'process' } });
  const cwd = useDirectory('page');

  test('has commands that run as printed, one after the other, and do what the page says', async () => {
    const place = await newPlace(service, { settings: { auto_preview: false } });
    await writeFile(place, '/README.md', '# Shop\n');
    const { output, code } = await inShell(blocksOf('docs/checks.md').join('\n'), cwd, {
      ...{ API: `${service.url}/v1`, KEY: place.user.key, PROJECT: place.projectId },
      REMOTE: `${service.url.replace('://', `://me:${place.user.key}@`)}/git/${place.projectId}.git`,
    });
    expect(code, output).toBe(0);
    expect(output).toContain('words: failure, sh words.sh exited with code 1\n');
    expect(output).toContain('test: skipped, words did not succeed\n');
    expect(output).toContain('/greeting.txt:1: Say it in French\n');
    expect(output).toContain('::error file=greeting.txt,line=1,title=Language::Say it in French\n');
    const { body } = await inProject<{ data: CheckRun[] }>(place, 'GET', '/checks');
    // The commit with another message has the same files.
    expect(body.data.map(({ name, attempt }) => [name, attempt]).sort()).toEqual([
      ['integration', 1],
      ['test', 0],
      ['words', 1],
    ]);
    const report = body.data.find(({ name }) => name === 'integration');
    expect(report).toMatchObject({
      ...{ source: 'outside', conclusion: 'success', details_url: 'https://ci.example.com/runs/7' },
      output: { title: '12 tests succeeded', annotations_count: 1 },
    });
  });
});
