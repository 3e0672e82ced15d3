import { type Template as Answer, scopeAllows } from '@bottega/contract';
import type { Principal } from '../foundation/http/principal.ts';
import type { PreviewSigner } from './preview-links.ts';
import type { Template } from './template.ts';

export type Links = { publicUrl: () => string; signer: PreviewSigner };

export function asTemplateAnswer(template: Template, principal: Principal, { publicUrl, signer }: Links): Answer {
  const { id, name, description, category, language, tags, featured, visibility, variables, version } = template;
  const base = publicUrl();
  return {
    id,
    name,
    description,
    category,
    language,
    tags,
    featured,
    author: { name: template.authorName, url: template.ownerId === null ? base : null },
    preview_url: `${base}/templates/${id}/preview/${previewPass(template, principal, signer)}`,
    repository_url: `${base}/git/templates/${id}.git`,
    created_at: template.createdAt.toISOString(),
    updated_at: template.updatedAt.toISOString(),
    visibility,
    variables,
    version,
    files_count: template.filesCount,
  };
}

/** A browser sends no key, so the address of a private preview carries a pass; who may not read files gets none. */
function previewPass({ id, visibility }: Template, { scopes }: Principal, signer: PreviewSigner): string {
  return visibility === 'private' && scopeAllows(scopes, 'read:files') ? `${signer.sign(id)}/` : '';
}
