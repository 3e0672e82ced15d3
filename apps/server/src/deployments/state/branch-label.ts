import { createHash } from 'node:crypto';

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const digestLength = 16;

/**
 * The first label of the address of a branch: what can be read of its name, and eighty bits of a digest over project and
 * branch, so that no two branches meet and nobody can make one that meets another's. No other address has a last part of
 * sixteen characters: that of a live one has six, that of a project or a deployment twenty-six.
 */
export function branchLabel(projectId: string, branch: string): string {
  const plain = branch
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 40);
  const slug = plain.replaceAll(/^-+|-+$/g, '') || 'branch';
  const digest = createHash('sha256').update(`${projectId}\0${branch}`).digest();
  const characters = [...digest.subarray(0, digestLength)].map((byte) => alphabet.charAt(byte % alphabet.length));
  return `${slug}-${characters.join('')}`;
}

export const isBranchLabel = (label: string): boolean => /^[a-z0-9-]{1,46}-[0-9a-z]{16}$/.test(label);
