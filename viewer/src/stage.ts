// The scene: camera, light, floor, and rendering.
import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { element } from "./dom";
import type { Report } from "./data";
import type { Mechanism } from "./mechanism";

export type View = "fit" | "front" | "side" | "top";

// A grid that fades out, drawn by a shader so that its lines stay thin at any distance.
const gridMaterial = () =>
  new THREE.ShaderMaterial({
    transparent: true,
    depthWrite: false,
    side: THREE.DoubleSide,
    uniforms: {
      cell: { value: 1 },
      reach: { value: 10 },
      centre: { value: new THREE.Vector2() },
      colour: { value: new THREE.Color() },
      upright: { value: new THREE.Matrix3() },
    },
    vertexShader: `varying vec3 at;
      uniform mat3 upright;
      void main() {
        vec4 world = modelMatrix * vec4(position, 1.0);
        at = upright * world.xyz;
        gl_Position = projectionMatrix * viewMatrix * world;
      }`,
    fragmentShader: `varying vec3 at;
      uniform float cell, reach;
      uniform vec2 centre;
      uniform vec3 colour;
      float lines(float size) {
        vec2 p = at.xy / size, wide = fwidth(p);
        vec2 away = abs(fract(p - 0.5) - 0.5) / wide;
        float blurred = 1.0 - smoothstep(0.2, 0.6, max(wide.x, wide.y));
        return blurred * (1.0 - min(min(away.x, away.y), 1.0));
      }
      void main() {
        float fade = 1.0 - smoothstep(0.2, 1.0, distance(at.xy, centre) / reach);
        float strength = max(0.45 * lines(cell), lines(5.0 * cell)) * fade;
        if (strength < 0.004) discard;
        gl_FragColor = vec4(colour, strength);
        #include <colorspace_fragment>
      }`,
  });

// The largest of 1, 2, 5 times a power of ten that is not above x.
function roundStep(x: number): number {
  const decade = 10 ** Math.floor(Math.log10(x));
  return decade * (x >= 5 * decade ? 5 : x >= 2 * decade ? 2 : 1);
}

export class Stage {
  readonly scene = new THREE.Scene();
  readonly camera = new THREE.PerspectiveCamera(32, 1, 0.01, 100);
  readonly canvas = element("canvas", { tabindex: "0", "aria-label": "The mechanism in three dimensions: drag to turn, scroll to zoom" });
  readonly cell: number; // of the grid [m]
  onFrame: () => void = () => {};
  private readonly renderer: THREE.WebGLRenderer | null;
  private readonly controls: OrbitControls | null;
  readonly size: number; // of the extent of the whole motion [m]
  // of the region of interest: the whole motion or, for a mechanism that travels far, its extent at one time
  readonly near: number;
  readonly goesFar: boolean; // a vehicle that leaves its place; another mechanism that travels several times its own size
  isFollowing: boolean; // the camera follows the mechanism, and views fit its current position
  private readonly upright: THREE.Quaternion; // from the world to axes whose z is up
  private readonly tilted: THREE.Quaternion; // and back
  private readonly corners: THREE.Vector3[]; // in upright axes, as the extent
  private readonly extent: THREE.Box3;
  private readonly floor = new THREE.Group();
  private readonly grid = gridMaterial();
  private readonly shade = new THREE.ShadowMaterial({ opacity: 0.2 });
  private readonly sun = new THREE.DirectionalLight("#ffffff", 2.2);
  private readonly sky = new THREE.HemisphereLight("#ffffff", "#8d99a8", 1.7); // soft light from all around
  private isScheduled = false;

  private readonly ground: number | null;

  constructor(private readonly mechanism: Mechanism, private readonly host: HTMLElement, { floor, up, travels, paths }: Report) {
    this.ground = floor;
    const z = new THREE.Vector3(0, 0, 1);
    const above = new THREE.Vector3(...up);
    // the smallest rotation, as in the pictures of snapshots; upside down: about x
    this.upright = above.z < -1 + 1e-12 ? new THREE.Quaternion(1, 0, 0, 0) : new THREE.Quaternion().setFromUnitVectors(above, z);
    this.tilted = this.upright.clone().invert();
    this.camera.up.copy(above);
    this.sky.position.copy(above);
    this.scene.add(mechanism.root);
    this.corners = this.stood(mechanism.corners());
    this.extent = new THREE.Box3().setFromPoints(this.corners);
    const middle = this.extent.getCenter(new THREE.Vector3());
    this.size = Math.max(this.extent.getSize(new THREE.Vector3()).length(), 1e-6);
    const { size, first, usual, way } = mechanism.travel();
    const isTornApart = this.size > 6 * usual; // it is held, but stretches far: legs that passed their limits
    this.goesFar = first > 0 && (isTornApart || way > (travels ? 0.5 : 3) * size);
    this.isFollowing = this.goesFar && paths.length === 0; // a given path is shown whole
    this.near = !this.goesFar ? this.size : isTornApart ? first : size;
    this.cell = roundStep(this.near / (this.goesFar ? 2 : 8));
    this.lightUp(this.inWorld(...middle.toArray()));
    this.layFloor(middle);

    this.renderer = this.startRenderer();
    if (this.renderer) {
      host.append(this.canvas);
      this.controls = new OrbitControls(this.camera, this.canvas);
      this.controls.enableDamping = true;
      this.controls.dampingFactor = 0.12;
      this.controls.addEventListener("change", () => this.invalidate());
      new ResizeObserver(() => this.resize()).observe(host);
      this.resize();
    } else {
      this.controls = null;
      host.append(element("p", { class: "notice" }, "This browser shows no 3-D: WebGL is off. Plots and facts work."));
    }
    this.look("fit");
  }

  // Points of the world in upright axes; and one back.
  private stood(points: THREE.Vector3[]): THREE.Vector3[] {
    return points.map((point) => point.clone().applyQuaternion(this.upright));
  }
  private inWorld(x: number, y: number, z: number): THREE.Vector3 {
    return new THREE.Vector3(x, y, z).applyQuaternion(this.tilted);
  }

  get hasPicture(): boolean {
    return this.renderer !== null;
  }

  private startRenderer(): THREE.WebGLRenderer | null {
    try {
      const renderer = new THREE.WebGLRenderer({ canvas: this.canvas, antialias: true, alpha: true });
      renderer.shadowMap.enabled = true;
      renderer.shadowMap.type = THREE.PCFShadowMap;
      return renderer;
    } catch {
      return null;
    }
  }

  private lightUp(middle: THREE.Vector3): void {
    const sun = this.sun;
    const lit = this.goesFar ? 4 * this.near : this.size; // its shadow moves along
    sun.position.copy(middle).add(this.inWorld(-0.55, -1.1, 1.4).multiplyScalar(1.4 * lit));
    sun.target.position.copy(middle);
    sun.castShadow = true;
    sun.shadow.mapSize.set(1024, 1024);
    sun.shadow.radius = 6;
    sun.shadow.bias = -0.0004;
    sun.shadow.normalBias = 0.004 * lit;
    const reach = 0.9 * lit;
    const { camera } = sun.shadow;
    [camera.left, camera.right, camera.bottom, camera.top] = [-reach, reach, -reach, reach];
    [camera.near, camera.far] = [0.05 * lit, 6 * lit];
    const fill = new THREE.DirectionalLight("#dce8ff", 0.7);
    fill.position.copy(middle).add(this.inWorld(1, 1, 0.4).multiplyScalar(this.size));
    fill.target.position.copy(middle);
    this.scene.add(this.sky, sun, sun.target, fill, fill.target);
  }

  // Height of the floor: where wheels roll; else under the lowest point, or 0 if nothing is below.
  private layFloor(middle: THREE.Vector3): void {
    const lowest = this.extent.min.z;
    const below = lowest >= -1e-3 * this.size && lowest < this.size ? Math.min(lowest, 0) : lowest - 0.04 * this.size;
    const height = this.ground ?? below;
    const reach = 3 * this.size;
    this.grid.uniforms["cell"]!.value = this.cell;
    this.grid.uniforms["reach"]!.value = reach;
    this.grid.uniforms["centre"]!.value.set(middle.x, middle.y);
    const plane = new THREE.PlaneGeometry(2 * reach, 2 * reach);
    const lines = new THREE.Mesh(plane, this.grid);
    const shadow = new THREE.Mesh(plane, this.shade);
    shadow.receiveShadow = true;
    shadow.position.z = -1e-4 * this.size;
    lines.renderOrder = -1;
    for (const mesh of [lines, shadow]) mesh.raycast = () => {};
    this.floor.add(shadow, lines);
    this.floor.position.copy(this.inWorld(middle.x, middle.y, height));
    this.floor.quaternion.copy(this.tilted);
    (this.grid.uniforms["upright"]!.value as THREE.Matrix3).setFromMatrix4(new THREE.Matrix4().makeRotationFromQuaternion(this.upright));
    this.scene.add(this.floor);
  }

  get isFloorShown(): boolean {
    return this.floor.visible;
  }
  showFloor(visible: boolean): void {
    this.floor.visible = visible;
    this.invalidate();
  }

  setColours(line: string, isDark: boolean): void {
    (this.grid.uniforms["colour"]!.value as THREE.Color).set(line);
    this.shade.opacity = isDark ? 0.45 : 0.18;
    this.sky.intensity = isDark ? 1.9 : 2.4;
    this.invalidate();
  }

  // Fits the whole motion, or the followed mechanism now, from the direction that shows most: planar mechanisms from
  // the front.
  look(view: View): void {
    const now = this.isFollowing ? this.stood(this.mechanism.cornersNow()) : [];
    const corners = now.length > 0 ? now : this.corners;
    const extent = new THREE.Box3().setFromPoints(corners);
    const room = extent.getSize(new THREE.Vector3());
    const isFlat = (thin: number, ...others: number[]) => others.every((other) => thin < 0.35 * other);
    let [azimuth, elevation] = [-0.9, 0.4];
    if (view === "front") [azimuth, elevation] = [-Math.PI / 2, 0];
    else if (view === "side") [azimuth, elevation] = [0, 0];
    else if (view === "top") [azimuth, elevation] = [-Math.PI / 2, Math.PI / 2 - 1e-3];
    else if (isFlat(room.y, room.x, room.z)) [azimuth, elevation] = [-1.25, 0.28];
    else if (isFlat(room.x, room.y, room.z)) [azimuth, elevation] = [-0.32, 0.28];
    else if (isFlat(room.z, room.x, room.y)) [azimuth, elevation] = [-1.2, 0.8];
    const towards = this.inWorld(
      Math.cos(elevation) * Math.cos(azimuth),
      Math.cos(elevation) * Math.sin(azimuth),
      Math.sin(elevation),
    );
    const middle = this.inWorld(...extent.getCenter(new THREE.Vector3()).toArray());
    this.camera.position.copy(middle).addScaledVector(towards, this.distance(towards, middle, corners, room.length()));
    this.camera.near = 0.02 * this.near;
    this.camera.far = 60 * this.size;
    this.camera.updateProjectionMatrix();
    this.camera.lookAt(middle);
    this.camera.updateMatrixWorld();
    this.controls?.target.copy(middle);
    this.controls?.update();
    this.invalidate();
  }

  // Camera distance at which everything fits into the picture.
  private distance(towards: THREE.Vector3, middle: THREE.Vector3, corners: THREE.Vector3[], size: number): number {
    const right = new THREE.Vector3().crossVectors(this.camera.up, towards).normalize();
    const up = new THREE.Vector3().crossVectors(towards, right);
    const tangent = Math.tan(THREE.MathUtils.degToRad(this.camera.fov / 2)) * 0.78; // with a margin
    let needed = 0.3 * size;
    const at = new THREE.Vector3();
    for (const corner of corners) {
      at.copy(corner).applyQuaternion(this.tilted).sub(middle);
      const wide = Math.abs(at.dot(right)) / Math.max(this.camera.aspect, 1e-3);
      needed = Math.max(needed, at.dot(towards) + Math.max(wide, Math.abs(at.dot(up))) / tangent);
    }
    return this.isFollowing ? 1.5 * needed : needed; // shows its surroundings, too
  }

  // Translates the camera.
  shift(by: THREE.Vector3): void {
    this.camera.position.add(by);
    this.controls?.target.add(by);
  }
  // The light follows a mechanism that travels far, so that its shadow stays sharp.
  lightAt(middle: THREE.Vector3): void {
    if (!this.goesFar) return;
    this.sun.position.add(middle).sub(this.sun.target.position);
    this.sun.target.position.copy(middle);
  }

  // The body under a point of the page.
  pick(clientX: number, clientY: number): number | null {
    const box = this.canvas.getBoundingClientRect();
    const at = new THREE.Vector2((2 * (clientX - box.left)) / box.width - 1, 1 - (2 * (clientY - box.top)) / box.height);
    // moved objects may not have been drawn yet
    this.camera.updateMatrixWorld();
    this.mechanism.root.updateMatrixWorld(true);
    const ray = new THREE.Raycaster();
    ray.setFromCamera(at, this.camera);
    const hit = ray.intersectObject(this.mechanism.root, true)[0];
    return hit ? (hit.object.userData["body"] as number) : null;
  }
  // Position on the page of a point of the world.
  onPage(point: THREE.Vector3): { x: number; y: number; isSeen: boolean } {
    const box = this.host.getBoundingClientRect();
    this.camera.updateMatrixWorld();
    const at = point.clone().project(this.camera);
    return { x: box.left + ((at.x + 1) / 2) * box.width, y: box.top + ((1 - at.y) / 2) * box.height, isSeen: at.z < 1 };
  }

  private resize(): void {
    const { clientWidth: width, clientHeight: height } = this.host;
    if (width === 0 || height === 0) return;
    this.renderer?.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer?.setSize(width, height, false);
    const before = this.camera.aspect;
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    if (Math.abs(before - this.camera.aspect) > 0.25) this.look("fit"); // a new layout, not a small change
    this.invalidate();
  }

  // Draws once, soon; a picture that does not change costs nothing.
  invalidate(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    requestAnimationFrame(() => {
      this.isScheduled = false;
      this.draw();
    });
  }
  draw(): void {
    this.controls?.update();
    this.onFrame();
    this.renderer?.render(this.scene, this.camera);
  }
}
