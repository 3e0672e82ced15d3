import { useElementSize } from '@mantine/hooks';

/** The window for which the site is laid out, in pixels; the picture shows it smaller. */
const site = { width: 1280, height: 800 };

/**
 * A picture of the live site: the site itself, smaller. It has no origin and runs no script, so it can neither do
 * anything nor take time from this page, and nobody can reach into it. A click opens the site.
 */
export function LiveFrame({ url, title, open }: { url: string; title: string; open: string }) {
  const { ref, width } = useElementSize<HTMLDivElement>();
  return (
    <div ref={ref} className="live-frame">
      {width > 0 && (
        <iframe
          src={url}
          sandbox=""
          loading="lazy"
          referrerPolicy="no-referrer"
          title={title}
          inert
          tabIndex={-1}
          {...site}
          style={{ scale: String(width / site.width) }}
        />
      )}
      <a href={url} target="_blank" rel="noreferrer">
        {open}
      </a>
    </div>
  );
}
