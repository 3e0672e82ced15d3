import { unversionedRoutes } from '@bottega/contract';
import type { FastifyReply } from 'fastify';
import { type App, handle } from '../foundation/http/index.ts';
import { readPreview } from './preview.service.ts';
import type { Templates } from './templates.service.ts';

/** The routes of previews. They are outside the versioned mounts, because a browser opens them without a credential. */
export function templatePreviewRoutes(app: App, templates: Templates): void {
  handle(app, unversionedRoutes.openTemplatePreview, (request, reply) =>
    reply.redirect(`/templates/${encodeURIComponent(request.params.template_id)}/preview/`),
  );

  handle(app, unversionedRoutes.readTemplatePreview, (request, reply) => sendPreview(reply, templates, request.params));
}

async function sendPreview(
  reply: FastifyReply,
  templates: Templates,
  { template_id: id, '*': rest }: { template_id: string; '*': string },
): Promise<FastifyReply> {
  const { template, type, content } = await readPreview(templates, id, rest);
  const isText = /^text\/|javascript|json|xml/.test(type);
  return reply
    .headers({
      'content-security-policy': policyFor(`${templates.publicUrl()}/templates/${id}/preview/`),
      'x-content-type-options': 'nosniff',
      // The address of a private preview contains a pass.
      'referrer-policy': 'no-referrer',
      'cache-control': template.visibility === 'private' ? 'private, no-store' : 'public, max-age=60',
      // A sandboxed page has no origin, so it requests its modules and fonts across origins.
      'access-control-allow-origin': '*',
    })
    .type(isText ? `${type}; charset=utf-8` : type)
    .send(content);
}

/**
 * The Content-Security-Policy of a preview. Anyone can publish a template, so its pages are not trusted. The sandbox
 * gives each page an origin of its own, so it cannot read anything of ours. It can load only files of the template, and
 * can send nothing anywhere.
 */
function policyFor(own: string): string {
  return [
    'sandbox allow-scripts',
    "default-src 'none'",
    `script-src ${own}`,
    `style-src ${own} 'unsafe-inline'`,
    `img-src ${own} data:`,
    `font-src ${own}`,
    `media-src ${own}`,
    `manifest-src ${own}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}
