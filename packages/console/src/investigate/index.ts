export { type Graph, type GraphEdge, type GraphNode, graphOf } from './graph.ts';
