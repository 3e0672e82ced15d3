/** A generated picture is ours at whatever name this page was opened by; another is where its owner says. */
export function avatarSource(url: string | null): string | null {
  if (url === null || !URL.canParse(url)) return null;
  const { pathname } = new URL(url);
  return /^\/avatars\/usr_[a-z0-9]+\.svg$/.test(pathname) ? pathname : url;
}
