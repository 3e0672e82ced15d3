import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** The same files that one reads in the repository: this makes pages of them, and changes nothing but titles and links. */
export type Page = { id: string; title: string; body: string };

export const repository = join(import.meta.dirname, '../..');

/** Where the service serves the guide. */
export const base = '/guide';

/** `docs/x.md` and `docs/x/README.md` are the page x, `X.md` beside the README project/x, and the index of docs/ the first page. */
function idOf(file: string): string {
  const name = file.replace(/\.md$/, '').toLowerCase();
  return name.startsWith('docs/')
    ? name
        .slice('docs/'.length)
        .replace(/^readme$/, 'index')
        .replace(/\/readme$/, '')
    : `project/${name}`;
}

const files = globSync(['docs/**/*.md', '*.md'], { cwd: repository }).filter((file) => file !== 'README.md');

export const addressOf = (id: string): string => (id === 'index' ? `${base}/` : `${base}/${id}/`);

export const readPages = (): Page[] =>
  files.map((file) => ({ id: idOf(file), title: read(file).title, body: withAddresses(file, read(file).body) }));

function read(file: string): { title: string; body: string } {
  const text = readFileSync(join(repository, file), 'utf8');
  const [, title, body] = /^# (.+)\n([\s\S]*)$/.exec(text) ?? [];
  if (title === undefined || body === undefined) throw new Error(`${file} must begin with a title: "# …"`);
  return { title: title.replaceAll('`', ''), body };
}

/** What is in docs/ and no page lies beside the pages, by its name. */
export const documents = globSync('docs/**/*.{json,yaml}', { cwd: repository }).map((file) =>
  file.slice('docs/'.length),
);

const withAddresses = (file: string, body: string): string =>
  body.replaceAll(/\[([^\]]+)\]\((?!\w+:|#)([^)#\s]+)(#[^)\s]*)?\)/g, (_link, text: string, to: string, anchor = '') =>
    linkTo(posix.join(posix.dirname(file), to), text, anchor),
  );

/** Links between files become links between pages, and the name of a file the title of its page. None may lead nowhere. */
function linkTo(file: string, text: string, anchor: string): string {
  if (files.includes(file)) {
    return `[${text.endsWith('.md') ? read(file).title : text}](${addressOf(idOf(file))}${anchor})`;
  }
  const document = file.replace(/^docs\//, '');
  if (documents.includes(document)) return `[${text}](${base}/${document})`;
  if (!existsSync(join(repository, file))) throw new Error(`A link leads to ${file}, which is not there`);
  return text.includes(file) ? text : `${text} (\`${file}\`)`;
}

type Group = { label: string; items: { label: string; link: string }[] };

/** The menu is the index of docs/: its headings are the groups, and the links of its tables the pages, in that order. */
export function readMenu(): Group[] {
  const pages = new Map(readPages().map((page) => [page.id, page]));
  const [, ...sections] = (pages.get('index')?.body ?? '').split(/^## /m);
  return sections.map((section) => ({
    label: section.slice(0, section.indexOf('\n')),
    items: [...section.matchAll(/^\| \[[^\]]+\]\(\/guide\/([\w/-]+)\/\)/gm)].flatMap(([, id = '']) => {
      const page = pages.get(id);
      return page ? [{ label: page.title, link: `/${id}/` }] : [];
    }),
  }));
}
