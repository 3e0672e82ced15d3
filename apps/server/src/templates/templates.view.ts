import { type Template as Answer, scopeAllows } from '@bottega/contract';
import type { Principal } from '../foundation/http/index.ts';
import type { PreviewSigner } from './preview-links.ts';
import type { Template } from './template.ts';

export type Links = { publicUrl: () => string; signer: PreviewSigner };

export function asTemplateAnswer(template: Template, principal: Principal, { publicUrl, signer }: Links): Answer {
  const { owner_id, author_name, settings: _settings, ...shown } = template;
  const { id } = shown;
  const base = publicUrl();
  return {
    ...shown,
    author: { name: author_name, url: owner_id === null ? base : null },
    preview_url: `${base}/templates/${id}/preview/${previewPass(template, principal, signer)}`,
    repository_url: `${base}/git/templates/${id}.git`,
    created_at: shown.created_at.toISOString(),
    updated_at: shown.updated_at.toISOString(),
  };
}

/**
 * A browser sends no API key, so the address of a private preview contains a pass. Without `read:files`, there is no
 * pass.
 */
function previewPass({ id, visibility }: Template, { scopes }: Principal, signer: PreviewSigner): string {
  return visibility === 'private' && scopeAllows(scopes, 'read:files') ? `${signer.sign(id)}/` : '';
}
