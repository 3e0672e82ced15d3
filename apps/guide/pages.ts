import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** Makes pages from the same files as in the repository, and changes only titles and links. */
export type Page = { id: string; title: string; body: string };

export const repository = join(import.meta.dirname, '../..');

/** The path at which the service serves the guide. */
export const base = '/guide';

/**
 * `docs/x.md` and `docs/x/README.md` become the page x, `X.md` beside the README project/x, and the index of docs/ the
 * first page.
 */
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

/** Files in docs/ that are not pages are copied beside the pages, under their names. */
export const documents = globSync('docs/**/*.{json,yaml}', { cwd: repository }).map((file) =>
  file.slice('docs/'.length),
);

const withAddresses = (file: string, body: string): string =>
  body.replaceAll(/\[([^\]]+)\]\((?!\w+:|#)([^)#\s]+)(#[^)\s]*)?\)/g, (_link, text: string, to: string, anchor = '') =>
    linkTo(posix.join(posix.dirname(file), to), text, anchor),
  );

/**
 * Links between files become links between pages, and a file's name becomes its page's title. A dead link is an error.
 */
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

/**
 * The menu is the index of docs/: its headings are the groups, and the links in its tables the pages, in that order.
 */
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
