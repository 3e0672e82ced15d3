import { notFound } from '../foundation/http/index.ts';
import { mimeTypeOf } from '../repository/store/index.ts';
import type { TemplateFile } from './fill.ts';
import { isPass } from './preview-links.ts';
import { previewPage } from './preview-page.ts';
import type { Template } from './template.ts';
import { findAny, type Templates } from './templates.service.ts';

export type Preview = { template: Template; type: string; content: Buffer | string };

/**
 * Reads the preview at a path of a template. It is a file of the template or, if the template is not a site, a page
 * about the template.
 */
export async function readPreview(templates: Templates, id: string, rest: string): Promise<Preview> {
  const template = await findAny(templates, id);
  const [first = '', ...others] = rest.split('/');
  const isPrivate = template?.visibility === 'private';
  if (!template || (isPrivate && !(isPass(first) && templates.signer.verify(id, first)))) throw notFound('Template');
  const path = isPrivate ? others.join('/') : rest;
  const files = await templates.samples.read(template);
  const root = siteRoot(files);
  if (root === null) {
    if (path !== '') throw notFound('Page');
    return { template, type: 'text/html', content: await previewPage(template, files) };
  }
  const place = `${root}/${path}`;
  const match = files.find((file) => file.path === place || file.path === `${place.replace(/\/$/, '')}/index.html`);
  if (!match) throw notFound('Page');
  return { template, type: mimeTypeOf(match.path, match.content), content: match.content };
}

/**
 * The directory whose pages can be shown unchanged. Null if the template has to be built or started first.
 * `bottega.json` decides this, as for a deployment. Without that file, a project is a site if it has a page at the top
 * and no packages.
 */
export function siteRoot(files: readonly TemplateFile[]): string | null {
  const has = (path: string): boolean => files.some((file) => file.path === path);
  const settings = files.find(({ path }) => path === '/bottega.json');
  if (!settings) return has('/index.html') && !has('/package.json') ? '' : null;
  const { build, start, output } = parsed(settings.content);
  if (build !== undefined || start !== undefined) return null;
  const names = typeof output === 'string' ? output.split('/').filter((name) => name !== '' && name !== '.') : [];
  const root = names.map((name) => `/${name}`).join('');
  return has(`${root}/index.html`) ? root : null;
}

function parsed(content: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(content.toString('utf8'));
    return value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
