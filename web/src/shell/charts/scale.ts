/** The figures at the side of a chart. */

/** About `count` round figures that span the values: 1, 2 or 5 times a power of ten apart. */
export function roundFigures(least: number, most: number, count = 4): number[] {
  const span = Math.max(1, most - least);
  const rough = span / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = Math.max(1, [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough) ?? rough);
  const first = Math.floor(least / step) * step;
  const figures = [first];
  while (figures[figures.length - 1]! < most) figures.push(first + step * figures.length);
  if (figures.length === 1) figures.push(first + step);
  return figures;
}
