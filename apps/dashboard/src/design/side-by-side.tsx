import { useEffect, useRef } from 'react';

/** The page in each theme. The frames scroll together. */
export function SideBySide({ themes }: { themes: readonly string[] }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const frames = [...(box.current?.querySelectorAll('iframe') ?? [])];
    const watch = (frame: HTMLIFrameElement) => {
      const { contentWindow: own } = frame;
      own?.addEventListener('scroll', () => {
        for (const { contentWindow: other } of frames) if (other !== own) other?.scrollTo(0, own.scrollY);
      });
    };
    for (const frame of frames) frame.addEventListener('load', () => watch(frame));
  }, []);
  return (
    <div ref={box} style={{ display: 'flex', height: '100vh' }}>
      {themes.map((name) => (
        <iframe key={name} title={name} src={`?theme=${name}`} style={{ flex: 1, minWidth: 0, border: 0 }} />
      ))}
    </div>
  );
}
