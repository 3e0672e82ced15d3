/**
 * The names for a live address. They are made from the project's name and the end of its id, so that projects of the
 * same name do not collide.
 */
export function liveNames({ id, name }: { id: string; name: string }): { wanted: string; certain: string } {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 40);
  const slug = plain.replaceAll(/^-+|-+$/g, '') || 'app';
  return { wanted: `${slug}-${id.slice(-6)}`, certain: id.replace('_', '-') };
}
