import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { useGitClient } from '../repository/smart-http/git-client.fixture.ts';
import { describeWith } from '../testing/parts/programs.ts';
import { createProject } from '../testing/samples/sample-projects.ts';
import { type TestUser, useTestService } from '../testing/service/test-service.ts';
import { brokenMarkup } from './markup.fixture.ts';

const service = useTestService();
const git = useGitClient(service);

const house = fileURLToPath(new URL('../../../../', import.meta.url));
const tool = (path: string) => join(house, 'node_modules', path);

// Characters that have a meaning in some file type.
const name = `O'Hara & "Söhne" </script>`;
const description = `It's "quoted" \\ \`\${1}\` */ --> {{year}} <b>&amp;</b> %s $& [x](y) *z*\nand a second line`;

let user: TestUser;
beforeAll(async () => {
  user = await service.createUser({ name: `Zoë "Z" O'Neil` });
});

type Clone = { directory: string; read(path: string): string; json(path: string): Record<string, unknown> };

/** Creates a project with these values through the API, and clones it as its owner would. */
async function clone(template: string, fields: Record<string, unknown> = {}): Promise<Clone> {
  const project = await createProject(service, user, { name, description, template, ...fields });
  const { directory, git: run } = await git.clone(project.id, user);
  expect(await run('rev-list', '--count', 'HEAD')).toBe('1');
  const read = (path: string) => readFileSync(join(directory, path), 'utf8');
  return { directory, read, json: (path) => JSON.parse(read(path)) };
}

/** Runs a program and returns its output. Its environment contains only the path of programs. */
function run(directory: string, program: string, ...args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const env = { PATH: process.env.PATH ?? '', HOME: directory, LC_ALL: 'C.UTF-8', PYTHONDONTWRITEBYTECODE: '1' };
    execFile(program, args, { cwd: directory, env, timeout: 90_000 }, (error, stdout, stderr) =>
      error ? reject(new Error(`${program} ${args.join(' ')}: ${stdout}${stderr}`)) : resolve(stdout),
    );
  });
}
const node = (directory: string, ...args: string[]) => run(directory, process.execPath, ...args);

/** The JSON that a script in the clone prints. */
async function evaluated(directory: string, script: string): Promise<unknown> {
  return JSON.parse(await node(directory, '--input-type=module', '--eval', script));
}

function filesBelow(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('.git'))
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1));
}

const templates = readdirSync(join(house, 'templates')).filter((id) => id !== 'licences');

describe.each(templates)('%s', (id) => {
  let files: Clone;
  beforeAll(async () => {
    files = await clone(id);
  });

  test('has a licence, no placeholder left, and a README that begins with its name', () => {
    expect(files.read('README.md')).toMatch(/^# O'Hara & "Söhne" \\<\/script\\>\n/);
    expect(files.read('LICENSE')).toContain(`Zoë "Z" O'Neil`);
    for (const path of filesBelow(files.directory)) {
      const left = files.read(path).replaceAll(/\{\{year\}\}/g, '');
      expect(left, path).not.toMatch(/\{\{ ?[a-z_]+(\|slug)? ?\}\}/);
    }
  });

  test('ignores files that should not be committed', () => {
    expect(files.read('.gitignore')).toContain('.DS_Store');
  });

  test('has valid JSON files, and only known settings in bottega.json', () => {
    for (const path of filesBelow(files.directory).filter((one) => one.endsWith('.json'))) {
      expect(() => files.json(path), path).not.toThrow();
    }
    if (!existsSync(join(files.directory, 'bottega.json'))) return;
    const { workspace, ...deployment } = files.json('bottega.json');
    for (const [key, value] of Object.entries(workspace as object)) {
      expect(['setup', 'start']).toContain(key);
      expect(value).toEqual(expect.any(String));
    }
    for (const [key, value] of Object.entries(deployment)) {
      expect(['build', 'output', 'start', 'spa']).toContain(key);
      expect(typeof value).toBe(key === 'spa' ? 'boolean' : 'string');
    }
  });

  test('has a package.json, if any, with its name, description, author and licence', () => {
    if (!existsSync(join(files.directory, 'package.json'))) return;
    const expected = { name: 'o-hara-sohne-script', description, author: user.name, license: 'MIT', type: 'module' };
    expect(files.json('package.json')).toMatchObject(expected);
  });

  test('has well-formed pages, if any', () => {
    for (const path of filesBelow(files.directory).filter((one) => /\.(html|svg)$/.test(one))) {
      expect(brokenMarkup(files.read(path)), path).toBeNull();
    }
  });
});

describe('static-site', () => {
  test('shows the name of the project, and has no broken links', async () => {
    const { directory, read } = await clone('static-site');
    const root = join(directory, 'public');
    const pages = readdirSync(root).filter((file) => file.endsWith('.html'));
    expect(pages.length).toBeGreaterThan(2);
    for (const page of pages) {
      for (const [, target = ''] of read(`public/${page}`).matchAll(/(?:href|src)="([^"#]+)"/g)) {
        expect(existsSync(join(root, normalize(target))), `${page} links to ${target}`).toBe(true);
      }
    }
    expect(read('public/index.html')).toContain('<title>O&#39;Hara &amp; &quot;Söhne&quot; &lt;/script&gt;</title>');
    await node(directory, '--check', 'public/script.js');
  });
});

describe('node-api', () => {
  test('passes its own tests, and answers with its name and description unchanged', async () => {
    const { directory } = await clone('node-api');
    expect(await node(directory, '--test')).toMatch(/pass 5\n/);
    const script = `
      import { createServer } from 'node:http';
      import { createApp } from './src/app.js';
      const server = createServer(createApp({ notes: null })).listen(0, async () => {
        console.log(await (await fetch('http://localhost:' + server.address().port)).text());
        process.exit();
      });`;
    expect(await evaluated(directory, script)).toEqual({ name, description });
    await node(directory, '--check', 'src/server.js');
  });
});

describe('websocket-demo', () => {
  test('passes its own tests', async () => {
    const { directory } = await clone('websocket-demo');
    expect(await node(directory, '--test')).toMatch(/fail 0\n/);
  });
});

describe('documentation-site', () => {
  test('passes its own tests, and builds a site without packages or network', async () => {
    const { directory, read } = await clone('documentation-site');
    expect(await node(directory, '--test')).toMatch(/fail 0\n/);
    const { build } = JSON.parse(read('bottega.json'));
    await run(directory, '/bin/sh', '-c', build.replace(/^node /, `"${process.execPath}" `));
    const built = filesBelow(join(directory, 'dist'));
    expect(built).toContain('index.html');
    for (const page of built.filter((file) => file.endsWith('.html'))) {
      const html = read(`dist/${page}`);
      expect(brokenMarkup(html), page).toBeNull();
      expect(html).toContain('O&#39;Hara &amp; &quot;Söhne&quot; &lt;/script&gt;</title>');
      for (const [, target = ''] of html.matchAll(/(?:href|src)="([^"#]+)[^"]*"/g)) {
        if (/^https?:/.test(target)) continue;
        expect(built, `${page} links to ${target}`).toContain(normalize(join(dirname(page), target)));
      }
    }
    expect(read('dist/index.html')).toContain('It&#39;s &quot;quoted&quot;');
  });
});

describe('typescript-library', () => {
  test('passes its own tests and the type checker, and its build can be used', async () => {
    const { directory } = await clone('typescript-library');
    expect(await node(directory, '--test', 'test/**/*.test.ts')).toMatch(/pass 5\n/);
    // Replaces `npm install`: the checker needs only the types of Node.
    symlinkSync(tool(''), join(directory, 'node_modules'));
    await node(directory, tool('typescript/bin/tsc'), '--noEmit');
    await node(directory, tool('typescript/bin/tsc'), '--project', 'tsconfig.build.json');
    const script = `import { chunk } from './dist/index.js'; console.log(JSON.stringify(chunk([1, 2, 3], 2)));`;
    expect(await evaluated(directory, script)).toEqual([[1, 2], [3]]);
    expect(existsSync(join(directory, 'dist/index.d.ts'))).toBe(true);
  });
});

describeWith(['python3'], 'python-script', () => {
  test('passes its own tests, and has its name and description unchanged', async () => {
    const { directory } = await clone('python-script');
    await run(directory, 'python3', '-m', 'unittest');
    const script = 'import json, app; print(json.dumps([app.NAME, app.DESCRIPTION, app.__doc__]))';
    const said = JSON.parse(await run(directory, 'python3', '-c', script));
    expect(said).toEqual([name, description, `${name}: ${description}`]);
    expect(await run(directory, './main.py', '--top', '1', 'README.md')).toMatch(/^ +\d+ \S+\n$/);
    expect(await run(directory, 'python3', 'main.py', '--help')).toContain("O'Hara");
  });

  test('has a valid pyproject.toml', async () => {
    const { directory } = await clone('python-script');
    const script = `
import json
try:
    import tomllib
    print(json.dumps(tomllib.load(open("pyproject.toml", "rb"))["project"]))
except ModuleNotFoundError:
    print("null")  # Python before 3.11 cannot read it`;
    const project = JSON.parse(await run(directory, 'python3', '-c', script));
    if (project) expect(project).toMatchObject({ name: 'o-hara-sohne-script', description });
  });
});

describe('react-vite', () => {
  // React is not installed and there is no network, so the build leaves it external.
  test('is built by Vite, though without React, and has its name and description unchanged', async () => {
    const { directory, read, json } = await clone('react-vite');
    const config = `export default { base: './', build: { rolldownOptions: { external: [/^react/] } } };\n`;
    writeFileSync(join(directory, 'without-react.config.mjs'), config);
    symlinkSync(tool(''), join(directory, 'node_modules'));
    await node(directory, tool('vite/bin/vite.js'), 'build', '--config', 'without-react.config.mjs');
    const built = filesBelow(join(directory, 'dist'));
    expect(built).toEqual(expect.arrayContaining(['index.html', 'icon.svg']));
    expect(brokenMarkup(read('dist/index.html'))).toBeNull();
    const script = `import { name, description } from './src/about.ts'; console.log(JSON.stringify([name, description]));`;
    expect(await evaluated(directory, script)).toEqual([name, description]);
    const { dependencies, devDependencies } = json('package.json') as Record<string, Record<string, string>>;
    const imported = [...read('vite.config.ts').matchAll(/from '([^'.]+)'/g)].map(([, one]) => one);
    for (const one of imported) expect({ ...dependencies, ...devDependencies }).toHaveProperty([one ?? '']);
  });
});
