import { useElementSize } from '@mantine/hooks';

/** The size of the window for which the site is laid out, in pixels. The picture is scaled down. */
const site = { width: 1280, height: 800 };

/**
 * A picture of the live site: the site itself, smaller. The frame has no origin and runs no script, so the site can
 * neither do anything nor slow this page down. Users cannot interact with it. A click opens the site.
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
