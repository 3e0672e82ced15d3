/** A generated picture is loaded from this page's own host. Any other picture is loaded from its own URL. */
export function avatarSource(url: string | null): string | null {
  if (url === null || !URL.canParse(url)) return null;
  const { pathname } = new URL(url);
  return /^\/avatars\/usr_[a-z0-9]+\.svg$/.test(pathname) ? pathname : url;
}
