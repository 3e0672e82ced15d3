import { templateDrawing } from './template-drawing.ts';

/** Shows what kind of project a template creates. The text below it says the same. */
export function TemplatePicture({ template }: { template: { id: string; category: string } }) {
  const { hue, soft, ink } = templateDrawing(template);
  const tone = (alpha: number) => ({
    fill: `light-dark(hsl(${hue} 55% 48% / ${alpha}), hsl(${hue} 60% 66% / ${alpha}))`,
  });
  return (
    <svg viewBox="0 0 120 48" width="100%" aria-hidden style={{ display: 'block' }}>
      <rect width={120} height={48} style={tone(0.12)} />
      <path d={soft} style={tone(0.25)} />
      <path d={ink} style={tone(0.85)} />
    </svg>
  );
}
